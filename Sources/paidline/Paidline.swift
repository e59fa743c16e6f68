internal import Commands

/// The command that owners, analysts and cron use; a link named as a stage to it is that stage.
@main
enum Paidline {
  static func main() { CommandMain.asNamed() }
}
