internal import Commands

/// The third stage: pages and descriptions made from the published facts.
@main
enum PaidlinePublish {
  static func main() { CommandMain.publish() }
}
