internal import SQLiteFiles

extension DatabaseFormat {
  /// The format of validation.db, `PdlV`.
  ///
  /// From the first release on, a change of the schema is a further step.
  static let validation = DatabaseFormat(
    name: "validation", applicationID: 0x5064_6C56, firstVersion: 1,
    schema: PackageResources.validation_sql,
    advice: "Finish its answers with the Paidline that wrote it, then move it away.",
    isPrivate: true, pageSize: 4096)
}
