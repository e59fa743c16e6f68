package import Amounts
internal import Diagnostics
package import PurchaseModel

/// A line of the owner's catalogue, as `paidline catalog add` writes it and as messages ask for it.
package struct CatalogueLine: Hashable, Sendable {
  /// The list under the product that has the line.
  package enum List: String, Hashable, Sendable {
    case prices
    case priceChanges = "price_changes"
    case offers
  }

  package var productID: String
  /// The app that sells the product; `nil` if the product's id is enough.
  package var bundleID: String?
  package var list: List
  /// The keys and values of the line, in the order in which they are written.
  package var members: [Member]

  /// A key of the line and its value; a value of `nil` is for the owner to fill in.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: String?

    package init(_ key: String, _ value: String?) {
      self.key = key
      self.value = value
    }
  }

  package init(productID: String, bundleID: String?, list: List, members: [Member]) {
    self.productID = productID
    self.bundleID = bundleID
    self.list = list
    self.members = members
  }

  /// Returns the line that decides whether subscribers kept the old price.
  ///
  /// - Parameter day: The day of the new price; `nil` if unknown.
  package static func priceChange(
    of productID: String, bundleID: String?, in currency: Currency, storefront: Storefront?,
    from day: String?, subscribers: ExistingSubscribers
  ) -> CatalogueLine {
    CatalogueLine(
      productID: productID, bundleID: bundleID, list: .priceChanges,
      members: [Member("currency", currency.code)]
        + (storefront.map { [Member("storefront", $0.code)] } ?? [])
        + [Member("from", day), Member("existing_subscribers", subscribers.rawValue)])
  }

  /// Returns the value of a key; `nil` if the line does not have it.
  package subscript(key: String) -> String? { members.first { $0.key == key }?.value }

  /// The line in YAML, without the dash of the list: `{currency: USD, from: 2024-05-18, …}`.
  var yaml: String {
    let fields = members.map { member in
      "\(member.key): \(Self.isPlain(member) ? member.value ?? "…" : PriceListText.quoted(member.value ?? ""))"
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  /// Whether the value of a key needs no quotation marks: a code, a day or a number of periods.
  private static func isPlain(_ member: Member) -> Bool {
    member.value == nil || !["price", "identifier", "name"].contains(member.key)
  }

  /// The whole block, which is valid below `products:` of a catalogue.
  var block: [String] {
    ["- product_id: \(PriceListText.quoted(productID))"]
      + (bundleID.map { ["  bundle_id: \($0)"] } ?? [])
      + ["  \(list.rawValue):", "    - \(yaml)"]
  }

  /// The command that writes the line, for messages and advice.
  ///
  /// Values that the owner must fill in are in capitals: `--price AMOUNT`.
  package func command(pipeline: String) -> String {
    let options = [("product", productID)] + (bundleID.map { [("bundle-id", $0)] } ?? [])
    let named = options.map { name, value in "--\(name) \(ShellWord.quoted(value))" }
    let rest = members.map { member in
      let option = member.key == "identifier" ? "offer" : member.key.replacing("_", with: "-")
      return "--\(option) \(member.value.map(ShellWord.quoted) ?? Self.blank(member.key))"
    }
    let path = pipeline == "pipeline.yaml" ? "" : " \(ShellWord.quoted(pipeline))"
    return "paidline catalog add\(path) \((named + rest).joined(separator: " "))"
  }

  /// The word that stands for a missing value in a command.
  private static func blank(_ key: String) -> String {
    switch key {
    case "from", "to": "DAY"
    case "price": "AMOUNT"
    case "kind": "promo"
    case "payment_mode": "MODE"
    default: "VALUE"
    }
  }
}

/// Quotes an argument for a POSIX shell.
package enum ShellWord {
  /// Returns the text unchanged if the shell does not interpret it; else in single quotes.
  package static func quoted(_ text: String) -> String {
    let isSafe =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "._-/:@%+=,".utf8.contains(byte)
      }
    return isSafe ? text : "'\(OneLine.text(text).replacing("'", with: "'\\''"))'"
  }
}
