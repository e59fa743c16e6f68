internal import Commands

/// The command that owners, analysts and cron use.
///
/// It runs a stage if it is started by a link with the name of that stage.
@main
enum Paidline {
  static func main() { CommandMain.asNamed() }
}
