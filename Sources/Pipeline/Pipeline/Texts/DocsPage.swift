/// A page of the documentation to which messages refer.
package enum DocsPage: String, Hashable, CaseIterable {
  case books = "Docs/books.md"
  case formats = "Docs/formats.md"
  case fetching = "Docs/fetching.md"
  case gates = "Docs/gates.md"
  case inputs = "Docs/inputs.md"
  case rejects = "Docs/rejects.md"
  case rules = "Docs/rules.md"

  /// The reference at the end of a message, such as `More: Docs/gates.md.`.
  package var reference: String { "More: \(rawValue)." }
}
