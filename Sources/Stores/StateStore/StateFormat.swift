internal import SQLiteFiles

extension DatabaseFormat {
  /// The format of state.db, with the application id `PdlS`.
  ///
  /// Pages are large, because the content of a chain in one file may need a kilobyte or more.
  /// SQLite moves a value of more than a quarter of a page to another page.
  ///
  /// Until the first release, a change of the schema edits `Schema/state.sql` and raises the first
  /// version. After the first release, a change adds a migration step.
  static let state = DatabaseFormat(
    name: "state", applicationID: 0x5064_6C53, firstVersion: 1,
    schema: PackageResources.state_sql,
    advice:
      "Move this file away with its -wal and -shm files, leave state.db.removals where it is, and run "
      + "the pipeline with all exports: the run reads them again.",
    isPrivate: true, pageSize: 16_384, numbersTransactions: true)
}
