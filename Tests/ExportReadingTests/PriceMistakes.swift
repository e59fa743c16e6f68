/// The mistakes that programs make when they export price reports.
extension ExporterMistake {
  private static let values = [
    records("numbers as texts", .same) { record in
      record.mapped { key, value in
        guard case .word(let word) = value, isNumber(word) else { return value }
        return .text(word)
      } ?? record
    },
    records("prices as numbers", .same) { record in
      record.mapped { key, value in
        guard key == "price", case .text(let text) = value else { return value }
        return .word(text)
      } ?? record
    },
    records("prices as 32-bit floats", .same) { record in
      record.mapped { key, value in
        guard key == "price", case .text(let text) = value, let float = Float(text) else {
          return value
        }
        return .word("\(Double(float))")
      } ?? record
    },
    records("null and empty texts for absent columns", .same) { record in
      // Reports with StoreKit's key names have other columns.
      guard case .object(let members) = record, members.contains(where: { $0.key == "product_id" })
      else { return record }
      let absent = ["introductory_price", "discounts", "applied_discount", "bundle_id"].filter {
        name in !members.contains { $0.key == name }
      }
      return .object(
        members
          + absent.enumerated().map { ($0.element, $0.offset == 0 ? .text("") : .word("null")) })
    },
    records("times as texts without a zone, in UTC", .same) { record in
      record.mapped { key, value in
        guard key == "reported_at", case .text(let text) = value else { return value }
        return .text(text.replacing("T", with: " ").replacing("Z", with: ""))
      } ?? record
    },
    records(
      "times in the seconds since 2001 of Swift",
      .rejected("price_invalid_time", naming: "reported_at")
    ) { record in
      record.mapped { key, value in
        key == "reported_at" ? .word("631530003.5") : value
      } ?? record
    },
    records("prices with a comma", .rejected("price_not_a_decimal", naming: "price")) { record in
      record.mapped { key, value in
        guard key == "price", case .text(let text) = value else { return value }
        return .text(text.replacing(".", with: ","))
      } ?? record
    },
    records("prices with a sign of currency", .rejected("price_not_a_decimal", naming: "price")) {
      record in
      record.mapped { key, value in
        guard key == "price", case .text(let text) = value else { return value }
        return .text("$\(text)")
      } ?? record
    },
    records("prices with an exponent", .rejected("price_has_exponent", naming: "price")) { record in
      record.mapped { key, value in
        guard key == "price", case .text(let text) = value else { return value }
        return .word("\(text)E+00")
      } ?? record
    },
    records("a symbol for the currency", .rejected("price_invalid_currency", naming: "currency")) {
      record in
      record.mapped { key, value in key == "currency" ? .text("$") : value } ?? record
    },
    records("no currency", .rejected("price_without_currency", naming: "currency")) { record in
      record.mapped { key, value in key == "currency" ? nil : value } ?? record
    },
    texts("NaN for a price", .rejected("invalid_json", naming: "byte")) {
      $0.replacing(#""price":""#, with: #""note":NaN,"price":""#, maxReplacements: 1)
    },
  ]

  private static let shapes = [
    records("columns renamed in camelCase", .same) { record in
      record.renamed { key in
        let words = key.split(separator: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return ([String(words[0])] + rest).joined()
      }
    },
    records("nested under `data`", .same) { .object([("data", $0)]) },
    records(
      "nested under a name of its own", .rejected("price_without_product", naming: "product_id")
    ) { .object([("record", $0)]) },
    texts("encoded twice", .same) { JSONTree.quoted($0) },
    records("encoded twice, under `payload`", .same) { .object([("payload", .text($0.json))]) },
    records("several records in a list under `payload`", .same) {
      .object([("payload", .list([$0]))])
    },
  ]

  /// Every mistake in price reports.
  static let ofPrices = values + shapes + inBytes(cutAfter: 150)
}
