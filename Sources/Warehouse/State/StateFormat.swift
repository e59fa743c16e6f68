extension DatabaseFormat {
  /// state.db: private working storage, `PdlS`.
  ///
  /// Pages are large because a chain's part of a file may take a kilobyte or more, and what does
  /// not fit a quarter of a page goes to a page of its own.
  static let state = DatabaseFormat(
    name: "state", applicationID: 0x5064_6C53, version: 1,
    schema: PackageResources.state_v001_sql, isPrivate: true, pageSize: 16_384)
}
