internal import Pipeline

@main
enum PaidlineIngest {
  static func main() async { await CommandMain.ingest() }
}
