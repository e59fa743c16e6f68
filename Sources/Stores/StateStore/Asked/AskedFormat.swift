internal import SQLiteFiles

extension DatabaseFormat {
  /// The format of an ``AskedDatabase``, with the application id `PdlV`.
  ///
  /// From the first release on, a change of the schema adds a migration step.
  static let asked = DatabaseFormat(
    name: "answers", applicationID: 0x5064_6C56, firstVersion: 1,
    schema: PackageResources.asked_sql,
    advice: "Run the version of Paidline that wrote this file until nothing is pending, then move "
      + "the file away.",
    isPrivate: true, pageSize: 4096)
}
