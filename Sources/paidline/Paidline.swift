internal import Pipeline

@main
enum Paidline {
  static func main() { CommandMain.paidline() }
}
