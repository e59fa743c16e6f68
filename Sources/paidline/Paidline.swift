internal import Commands

/// The command that owners, analysts and cron use.
///
/// If it is started by a link named after a stage, such as `paidline-ingest`, it runs that stage.
@main
enum Paidline {
  static func main() { CommandMain.asNamed() }
}
