internal import Pipeline

@main
enum PaidlineIngest {
  static func main() { CommandMain.ingest() }
}
