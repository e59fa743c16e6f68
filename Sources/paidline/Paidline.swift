internal import Pipeline

/// The command that owners, analysts and cron use.
@main
enum Paidline {
  static func main() { CommandMain.paidline() }
}
