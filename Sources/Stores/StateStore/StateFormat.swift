internal import SQLiteFiles

extension DatabaseFormat {
  /// state.db: private working storage, `PdlS`.
  ///
  /// Pages are large because a chain's part of a file may take a kilobyte or more, and a value of
  /// more than a quarter of a page goes to a page of its own.
  ///
  /// A change of the schema is a further step, `Schema/state_v00N.sql`; released steps are never
  /// changed.
  static let state = DatabaseFormat.stepwise(
    name: "state", applicationID: 0x5064_6C53,
    steps: [
      PackageResources.state_v001_sql, PackageResources.state_v002_sql,
      PackageResources.state_v003_sql, PackageResources.state_v004_sql,
      PackageResources.state_v005_sql, PackageResources.state_v006_sql,
      PackageResources.state_v007_sql, PackageResources.state_v008_sql,
      PackageResources.state_v009_sql, PackageResources.state_v010_sql,
    ],
    isPrivate: true, pageSize: 16_384)
}
