internal import Commands

/// The command that owners, analysts and cron use.
///
/// If a link to it has the name of a stage, it runs that stage.
@main
enum Paidline {
  static func main() { CommandMain.asNamed() }
}
