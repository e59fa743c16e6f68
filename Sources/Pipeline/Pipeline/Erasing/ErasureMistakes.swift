package import Diagnostics
package import StateStore

/// Finds why a list of ids to erase names no customer of the exports.
///
/// Its texts contain no id.
package enum ErasureMistakes {
  /// Compares ids that no file contains with the customers in state.db.
  ///
  /// - Returns: One text per kind of mistake, the most frequent first; empty if no id is similar to
  ///   a customer's.
  package static func texts(_ ids: Set<String>, in state: StateDatabase) throws(RunFailure)
    -> [String]
  {
    var given: [String: String] = [:]
    for id in ids { given[folded(id)] = id }
    var counts: [String: Int] = [:]
    try state.forEachCustomer { customer in
      guard let id = given[folded(customer)] else { return }
      if let mistake = mistake(id, customer) { counts[mistake, default: 0] += 1 }
    }
    var texts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { mistake, count in
      "\(Count.text(count, "customer")) of the exports would match \(mistake)"
    }
    if ids.contains(where: { headers.contains($0.lowercased()) }) {
      texts.append("one line is the name of a column, not an id")
    }
    return texts
  }

  private static let headers: Set<String> = [
    "customer_id", "customerid", "customer", "id", "user_id", "userid", "app_user_id",
  ]

  /// The difference between an id and a customer who is probably meant; `nil` for equal ids.
  private static func mistake(_ id: String, _ customer: String) -> String? {
    if id.utf8.elementsEqual(customer.utf8) { return nil }
    // Swift compares canonical forms, so NFC and NFD are equal.
    if id == customer { return "in the other Unicode form (NFC, NFD)" }
    if unquoted(id) == customer { return "without the quotation marks or spaces around the id" }
    if id.lowercased() == customer.lowercased() { return "with other upper-case letters" }
    return "without quotation marks and with other upper-case letters"
  }

  private static func folded(_ id: String) -> String { unquoted(id).lowercased() }

  private static func unquoted(_ id: String) -> String {
    func isOutside(_ character: Character) -> Bool {
      character.isWhitespace || "\"'`,;".contains(character)
    }
    let start = id.drop(while: isOutside)
    guard let last = start.lastIndex(where: { !isOutside($0) }) else { return "" }
    return String(start[...last])
  }
}
