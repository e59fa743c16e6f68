internal import Pipeline

@main
enum PaidlinePublish {
  static func main() { CommandMain.publish() }
}
