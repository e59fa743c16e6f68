internal import Commands

/// The first stage: reads exports into the private working database.
@main
enum PaidlineIngest {
  static func main() { CommandMain.ingest() }
}
