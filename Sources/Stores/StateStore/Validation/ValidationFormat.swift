internal import SQLiteFiles

extension DatabaseFormat {
  /// validation.db: the questions to Apple and the answers that no export holds yet, `PdlV`.
  ///
  /// A change of the schema is a further step, `Schema/validation_v00N.sql`.
  static let validation = DatabaseFormat.stepwise(
    name: "validation", applicationID: 0x5064_6C56, steps: [PackageResources.validation_v001_sql],
    isPrivate: true, pageSize: 4096)
}
