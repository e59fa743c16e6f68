internal import Commands

/// The first stage: exports into the private working database.
@main
enum PaidlineIngest {
  static func main() { CommandMain.ingest() }
}
