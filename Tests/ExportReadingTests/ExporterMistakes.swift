internal import Testing

/// A plausible mistake of a program that exports receipts, and its effect.
struct ExporterMistake: Sendable, CustomTestStringConvertible {
  /// The effect of the mistake on reading.
  enum Outcome: Sendable {
    /// The export has the same meaning as without the mistake.
    case same
    /// Records with the mistake, or their rows, are rejected.
    ///
    /// They have this code and a detail with these words. All other records have the same meaning
    /// as without the mistake.
    case rejected(String, naming: String)
  }

  let name: String
  let outcome: Outcome
  /// Creates the bytes of the export from correct records.
  let export: @Sendable ([JSONTree]) -> [UInt8]

  var testDescription: String { name }

  init(
    _ name: String, _ outcome: Outcome, export: @escaping @Sendable ([JSONTree]) -> [UInt8]
  ) {
    self.name = name
    self.outcome = outcome
    self.export = export
  }

  /// A mistake in each record.
  static func records(
    _ name: String, _ outcome: Outcome, _ change: @escaping @Sendable (JSONTree) -> JSONTree
  ) -> ExporterMistake {
    ExporterMistake(name, outcome) { lines($0.map { change($0).json }) }
  }

  /// A mistake in the text of each line.
  static func texts(
    _ name: String, _ outcome: Outcome, _ change: @escaping @Sendable (String) -> String
  ) -> ExporterMistake {
    ExporterMistake(name, outcome) { lines($0.map { change($0.json) }) }
  }

  static func lines(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Mistakes in the bytes of a file, which are possible for every kind of record.
  ///
  /// A record is cut off after `limit` characters.
  static func inBytes(cutAfter limit: Int) -> [ExporterMistake] {
    [
      ExporterMistake("each record twice", .same) { records in
        lines(records.flatMap { [$0.json, $0.json] })
      },
      ExporterMistake("line ends of Windows, after a byte order mark", .same) { records in
        Array(("\u{FEFF}" + records.map(\.json).joined(separator: "\r\n") + "\r\n").utf8)
      },
      ExporterMistake(
        "UTF-16 with a byte order mark", .rejected("invalid_json", naming: "UTF-16")
      ) { records in
        [0xFF, 0xFE] + lines(records.map(\.json)).flatMap { [$0, 0] }
      },
      texts("cut by the limit of a column", .rejected("invalid_json", naming: "cut off")) {
        String($0.prefix(limit))
      },
      texts("escaped for HTML", .rejected("invalid_json", naming: "byte")) {
        $0.replacing("\"", with: "&quot;")
      },
      texts("Postgres' doubled backslashes", .rejected("invalid_json", naming: "COPY")) {
        #"{"note":"a\\"b","# + $0.dropFirst()
      },
      ExporterMistake("Latin-1", .rejected("invalid_utf8", naming: "byte")) { records in
        records.reduce(into: []) { bytes, record in
          bytes += Array(#"{"note":"caf"#.utf8) + [0xE9] + Array(#"","#.utf8)
          bytes += Array(record.json.utf8.dropFirst()) + [0x0A]
        }
      },
    ]
  }

  // MARK: Values

  /// Whether a text is a whole number that a program may write without quotes.
  static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.first != 0x30
  }

  private static let values = [
    records("numbers as texts", .same) { record in
      record.mapped { key, value in
        guard case .word(let word) = value, isNumber(word) else { return value }
        return .text(word)
      } ?? record
    },
    records("texts of digits as numbers", .same) { record in
      record.mapped { key, value in
        guard case .text(let text) = value, isNumber(text) else { return value }
        return .word(text)
      } ?? record
    },
    records("nulls left out", .same) { record in
      record.mapped { key, value in value == .word("null") ? nil : value } ?? record
    },
    records("null for every absent column", .same) { record in
      record.mapped { key, value in
        guard case .object(var members) = value, members.contains(where: { $0.key == "quantity" })
        else { return value }
        for column in [
          "cancellation_date", "is_upgraded", "promotional_offer_id", "expires_date_ms",
        ]
        where !members.contains(where: { $0.key == column }) {
          members.append((column, .word("null")))
        }
        return .object(members)
      } ?? record
    },
    records("empty texts for every absent column", .same) { record in
      record.mapped { key, value in
        guard case .object(var members) = value, members.contains(where: { $0.key == "quantity" })
        else { return value }
        for column in ["cancellation_date_ms", "is_upgraded", "promotional_offer_id"]
        where !members.contains(where: { $0.key == column }) {
          members.append((column, .text("")))
        }
        return .object(members)
      } ?? record
    },
    records("times as texts without a zone, in UTC", .same) { record in
      record.mapped { key, value in
        if key.hasSuffix("_ms") || key.hasSuffix("_pst") { return nil }
        guard case .text(let text) = value, text.hasSuffix(" Etc/GMT") else { return value }
        return .text(String(text.dropLast(8)))
      } ?? record
    },
    records("times in seconds", .rejected("row_invalid_date", naming: "purchase_date")) { record in
      record.mapped { key, value in
        guard key.hasSuffix("_ms"), case .text(let text) = value else { return value }
        return .text(String(text.dropLast(3)))
      } ?? record
    },
    records("ids through floating point", .rejected("wrong_type", naming: "transaction_id")) {
      record in
      record.mapped { key, value in
        guard key == "transaction_id", case .text(let text) = value else { return value }
        return .word("\(text.prefix(1)).\(text.dropFirst())e\(text.utf8.count - 1)")
      } ?? record
    },
    records("flags of Python", .rejected("row_invalid_flag", naming: "is_trial_period")) { record in
      record.mapped { key, value in
        key == "is_trial_period" ? .text(value == .text("true") ? "True" : "False") : value
      } ?? record
    },
    texts("NaN for an absent column", .rejected("invalid_json", naming: "byte")) {
      $0.replacing(#""quantity":"#, with: #""offer":NaN,"quantity":"#)
    },
  ]

  // MARK: Keys and shapes

  private static let shapes = [
    records(
      "columns renamed in camelCase",
      .rejected("row_without_transaction_id", naming: "transaction_id")
    ) { record in
      record.renamed { key in
        let words = key.split(separator: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return key == "in_app" ? key : ([String(words[0])] + rest).joined()
      }
    },
    records("nested under one more key", .rejected("not_a_receipt", naming: "data")) {
      .object([("data", $0)])
    },
    texts("encoded twice", .same) { JSONTree.quoted($0) },
    records("the response as text", .same) { record in
      guard case .object(let members) = record else { return record }
      return .object(
        members.map { member in
          guard member.key == "response", case .object = member.value else { return member }
          return (member.key, .text(member.value.json))
        })
    },
    records("rows numbered in an object", .same) { record in
      record.mapped { key, value in
        guard key == "latest_receipt_info", case .list(let rows) = value, !rows.isEmpty else {
          return value
        }
        return .object(rows.enumerated().map { ("\($0.offset)", $0.element) })
      } ?? record
    },
  ]

  // MARK: Bytes

  private static let bytes = [
    ExporterMistake("each record twice", .same) { records in
      lines(records.flatMap { [$0.json, $0.json] })
    },
    ExporterMistake("line ends of Windows, after a byte order mark", .same) { records in
      Array(("\u{FEFF}" + records.map(\.json).joined(separator: "\r\n") + "\r\n").utf8)
    },
    ExporterMistake("UTF-16 with a byte order mark", .rejected("invalid_json", naming: "UTF-16")) {
      records in
      [0xFF, 0xFE]
        + lines(records.map(\.json)).flatMap { [$0, 0] }
    },
    texts("cut by the limit of a column", .rejected("invalid_json", naming: "cut off")) {
      String($0.prefix(1500))
    },
    texts("escaped for HTML", .rejected("invalid_json", naming: "byte")) {
      $0.replacing("\"", with: "&quot;")
    },
    texts("Postgres' doubled backslashes", .rejected("invalid_json", naming: "COPY")) {
      $0.replacing("}}", with: #"},"note":"a\"b"}"#).replacing(#"\""#, with: #"\\""#)
    },
    ExporterMistake("Latin-1", .rejected("invalid_utf8", naming: "byte")) { records in
      lines(
        records.map { #"{"note":"caf\#u{E9}","# + $0.json.dropFirst() }
      ).reduce(into: []) { bytes, byte in
        // é is C3 A9 in UTF-8 and E9 in Latin-1.
        if byte == 0xA9, bytes.last == 0xC3 { bytes.removeLast() }
        bytes.append(byte == 0xA9 ? 0xE9 : byte)
      }
    },
  ]

  /// Every mistake.
  static let all = values + shapes + bytes
}
