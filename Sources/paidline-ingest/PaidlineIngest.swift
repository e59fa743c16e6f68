internal import Commands

/// The first stage: reads exports into state.db, the private working database.
@main
enum PaidlineIngest {
  static func main() { CommandMain.ingest() }
}
