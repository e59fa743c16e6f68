internal import Pipeline

/// The third stage: pages and descriptions from what is published.
@main
enum PaidlinePublish {
  static func main() { CommandMain.publish() }
}
