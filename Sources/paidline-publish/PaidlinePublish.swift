internal import Commands

/// The third stage: writes pages and descriptions from the published facts.
@main
enum PaidlinePublish {
  static func main() { CommandMain.publish() }
}
