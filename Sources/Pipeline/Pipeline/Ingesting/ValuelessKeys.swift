internal import Diagnostics
internal import PurchaseModel

/// Reports the keys of entries that have no value in any record of the new files.
///
/// Example: the entry has `storefront: country`, but the column is called `country_code`.
enum ValuelessKeys {
  /// Returns one message for each entry and key.
  static func findings(_ outcomes: [InputOutcome], _ definition: PipelineDefinition)
    -> [WarningThrottle.Found]
  {
    struct Finding {
      var path: String
      var kind: InputFile.Kind
      var entry: String
      var key: String
    }
    let found = outcomes.flatMap { outcome in
      outcome.valuelessKeys.map { key in
        let kind = outcome.identity.kind
        return Finding(
          path: outcome.path, kind: kind,
          entry: definition.entry(of: outcome.path, kind: kind)?.text ?? outcome.path, key: key)
      }
    }
    return EntryGroups.grouped(found) { "\($0.kind.rawValue)\n\($0.entry)\n\($0.key)" }.map {
      group in
      let first = group[0]
      let files = EntryGroups.subject(
        OneLine.text(first.path), count: group.count, entry: first.entry)
      let key = first.key.prefix { $0 != " " }
      return WarningThrottle.Found(
        fault: "valueless_key \(first.kind.rawValue) \(first.entry) \(key)",
        message:
          "no record of \(files) has a value at \(first.key); correct the path under keys in "
          + "the entry of inputs.\(first.kind.rawValue). \(DocsPage.formats.reference)",
        duration: .transient)
    }
  }
}
