internal import SQLiteFiles
internal import Diagnostics

/// The name and the versions of this program.
package enum ProgramVersion {
  static let program = Release.version
  /// The version of the rules that decide amounts.
  ///
  /// If this version has changed since the last publication, a run decides all amounts again.
  static let rules = "6"

  /// The line that `--version` prints.
  package static let line = "paidline \(program) (rules \(rules))"

  /// The output of `--version --json`.
  package static var json: JSONText {
    .object([
      .init("program", .text("paidline")), .init("version", .text(program)),
      .init("rules", .text(rules)), .init("sqlite", .text(SQLiteLibrary.version)),
      .init("swift", .text(swift)),
    ])
  }

  private static var swift: String {
    #if compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
