/// The mistakes that programs make when they export signed transactions.
extension ExporterMistake {
  private typealias Member = (key: String, value: JSONTree)

  /// A mistake in each token of a record.
  private static func tokens(
    _ name: String, _ outcome: Outcome, _ change: @escaping @Sendable (String) -> String
  ) -> ExporterMistake {
    records(name, outcome) { record in
      record.mapped { _, value in
        guard case .text(let text) = value, text.hasPrefix("eyJ") else { return value }
        return .text(change(text))
      } ?? record
    }
  }

  /// A mistake in the members of each decoded payload.
  private static func payloads(
    _ name: String, _ outcome: Outcome,
    _ change: @escaping @Sendable ([Member]) -> [Member]
  ) -> ExporterMistake {
    records(name, outcome) { record in
      record.mapped { _, value in
        guard case .object(let members) = value,
          members.contains(where: { $0.key == "purchaseDate" })
        else { return value }
        return .object(change(members))
      } ?? record
    }
  }

  /// Changes the members of each decoded payload one by one.
  private static func payloads(
    _ name: String, _ outcome: Outcome,
    _ change: @escaping @Sendable (_ key: String, JSONTree) -> JSONTree?
  ) -> ExporterMistake {
    payloads(name, outcome) { members in
      members.compactMap { member in change(member.key, member.value).map { (member.key, $0) } }
    }
  }

  /// Additional members in each decoded payload.
  private static func members(
    _ name: String, _ outcome: Outcome, _ more: [Member]
  ) -> ExporterMistake {
    payloads(name, outcome) { members in
      members + more.filter { new in !members.contains { $0.key == new.key } }
    }
  }

  // MARK: Values

  private static let values = [
    payloads("numbers as texts", .same) { _, value in
      guard case .word(let word) = value, isNumber(word) else { return value }
      return .text(word)
    },
    payloads("ids as numbers", .same) { _, value in
      guard case .text(let text) = value, isNumber(text) else { return value }
      return .word(text)
    },
    members(
      "null for every absent field", .same,
      [
        ("revocationDate", .word("null")), ("offerType", .word("null")),
        ("isUpgraded", .word("null")),
      ]
    ),
    members(
      "zeros and empty texts for absent fields", .same,
      [
        ("revocationDate", .word("0")), ("offerType", .word("0")), ("offerIdentifier", .text("")),
        ("revocationReason", .text("")), ("appAccountToken", .text("")),
      ]),
    payloads("times with a fraction of a millisecond", .same) { key, value in
      guard key.hasSuffix("Date"), case .word(let word) = value else { return value }
      return .word(word + ".25")
    },
    payloads("times in seconds", .rejected("token_field_invalid", naming: "Date")) { key, value in
      guard key.hasSuffix("Date"), case .word(let word) = value else { return value }
      return .word(String(word.dropLast(3)))
    },
    payloads("prices in whole units", .rejected("token_field_invalid", naming: "price")) {
      key, value in
      key == "price" ? .word("9.99") : value
    },
    members(
      "flags as other words", .rejected("token_field_invalid", naming: "isUpgraded"),
      [("isUpgraded", .text("no"))]),
    payloads("NaN for a price", .rejected("invalid_json", naming: "byte")) { key, value in
      key == "price" ? .word("NaN") : value
    },
  ]

  // MARK: Tokens

  private static let tokens = [
    tokens("tokens cut by the limit of a column", .rejected("token_truncated", naming: "")) {
      String($0.prefix(1000))
    },
    tokens("tokens without their signature", .rejected("token_truncated", naming: "")) {
      $0.split(separator: ".").prefix(2).joined(separator: ".")
    },
    tokens("tokens in small letters", .rejected("token_header_unreadable", naming: "")) {
      $0.replacing("eyJ", with: "EYJ").lowercased().replacing(
        "eyj", with: "eyJ", maxReplacements: 1)
    },
    tokens("tokens in base64 with + and /", .rejected("token_malformed", naming: "")) {
      $0.replacing("-", with: "+").replacing("_", with: "/")
    },
    tokens("tokens in lines of 76 letters", .rejected("token_malformed", naming: "")) { token in
      var lines: [String] = []
      var rest = Substring(token)
      while !rest.isEmpty {
        lines.append(String(rest.prefix(76)))
        rest = rest.dropFirst(76)
      }
      return lines.joined(separator: "\n")
    },
    tokens("a payload that was changed", .rejected("token_signature_wrong", naming: "")) { token in
      var parts = token.split(separator: ".").map(String.init)
      guard parts.count == 3 else { return token }
      // Changes one letter inside the payload, so that a digit of an id or of a time differs.
      parts[1] =
        String(parts[1].prefix(40)) + (parts[1].dropFirst(40).first == "M" ? "N" : "M")
        + parts[1].dropFirst(41)
      return parts.joined(separator: ".")
    },
  ]

  // MARK: Keys and shapes

  private static let shapes = [
    records("columns renamed in snake_case", .same) { record in
      record.renamed { key in
        key.reduce(into: "") { name, letter in
          if letter.isUppercase { name.append("_") }
          name += letter.lowercased()
        }
      }
    },
    records("nested under `data`", .same) { .object([("data", $0)]) },
    records("nested under a name of its own", .rejected("wrong_type", naming: "no signed")) {
      .object([("record", $0)])
    },
    texts("encoded twice", .same) { JSONTree.quoted($0) },
    records("encoded twice, under `payload`", .same) { .object([("payload", .text($0.json))]) },
    ExporterMistake("one list of all records", .same) { records in
      Array(JSONTree.list(records).json.utf8)
    },
  ]

  /// Every mistake in signed transactions.
  static let ofSigned = values + tokens + shapes + inBytes(cutAfter: 300)
}
