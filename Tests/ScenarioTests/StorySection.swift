internal import Amounts
internal import CivilTime

/// A kind of fact that scenarios expect: a list under `expect`.
enum StorySection: String, CaseIterable {
  case paidAmounts = "paid_amounts"
  case revenue
  case conversions
  case subscriptions
  case eligibility
  case excluded
  case aliases
  case verdicts
  case priceHistory = "price_history"
  case questions

  /// The form in which a field is written and compared.
  enum Kind {
    /// Letters, digits and words without quotes.
    case text
    /// In quotes: `"9.99 USD"`, `"9.99"` if the currency is unknown, or a word.
    case money
    /// In quotes: a time, compared in UTC.
    case time
    /// In quotes: a day.
    case day
    case bool
    case number
  }

  /// The keys that identify a fact.
  var identity: [(name: String, kind: Kind)] {
    switch self {
    case .paidAmounts: [("id", .text)]
    case .revenue: [("id", .text), ("kind", .text)]
    case .conversions: [("offer", .text)]
    case .subscriptions: [("chain", .text)]
    case .eligibility: [("customer", .text), ("group", .text)]
    case .excluded, .aliases: [("id", .text)]
    case .verdicts: [("report", .text)]
    case .priceHistory:
      [("product", .text), ("currency", .text), ("price_of", .text), ("from", .time)]
    case .questions: [("product", .text), ("currency", .text), ("from", .day)]
    }
  }

  /// The keys that a fact of the section must have, apart from its identity.
  var required: [String] {
    switch self {
    case .paidAmounts: ["paid", "rule"]
    case .revenue: ["date", "amount"]
    case .conversions, .subscriptions: ["status"]
    case .eligibility, .excluded: ["reason"]
    case .aliases: ["purchase"]
    case .verdicts: ["verdict"]
    case .priceHistory: ["price"]
    case .questions: ["old", "new", "rows"]
    }
  }

  /// All keys, apart from the identity.
  var fields: [String: Kind] {
    switch self {
    case .paidAmounts:
      [
        "paid": .money, "low": .money, "high": .money, "rule": .text, "status": .text,
        "kind": .text, "product": .text, "mode": .text, "offer": .text, "currency": .text,
        "storefront": .text, "storefront_source": .text, "list": .money, "voters": .number,
        "evidence": .text, "basis": .text, "reversal": .text, "reversed": .time, "period": .text,
        "spell": .number, "renewal": .number, "number": .number, "lapse": .bool,
        "recovery": .bool, "quantity": .number, "bought": .time, "until": .time,
      ]
    case .revenue: ["date": .day, "amount": .money, "basis": .text]
    case .conversions:
      [
        "status": .text, "by": .text, "same_product": .bool, "contiguous": .bool,
        "days": .number, "refunded": .time, "paid": .money, "matures": .time, "mature": .bool,
        "number": .number, "periods": .number, "mode": .text, "kind": .text, "ends": .time,
      ]
    case .subscriptions:
      [
        "status": .text, "expires": .time, "product": .text, "spells": .number,
        "paid_count": .number, "started": .time, "first_trial": .time, "first_paid": .time,
        "group": .text, "renews": .bool,
      ]
    case .eligibility: ["reason": .text, "intro": .text, "promo": .bool]
    case .excluded: ["reason": .text]
    case .aliases: ["purchase": .text]
    case .verdicts:
      ["verdict": .text, "reference": .money, "place": .text, "confirmed": .bool]
    case .priceHistory:
      [
        "price": .money, "length": .text, "to": .time, "voters": .number, "reports": .number,
        "rejected": .number,
      ]
    case .questions: ["old": .money, "new": .money, "rows": .number, "storefront": .text]
    }
  }

  /// Whether the section must be empty if a scenario does not have it.
  var isEmptyByDefault: Bool {
    switch self {
    case .excluded, .questions: true
    default: false
    }
  }
}

/// Formats facts in a uniform way, so that they can be compared.
enum StoryText {
  /// `9.99 USD`, or `9.99` without a currency; `absent` stands for a missing amount.
  static func money(_ amount: Milliunits?, _ currency: Currency?, absent: String = "none")
    -> String
  {
    guard let amount else { return absent }
    return currency.map(amount.text) ?? amount.text(decimals: 2)
  }

  static func time(_ instant: Instant?) -> String { instant?.text ?? "none" }

  /// Reads an expected value and formats it uniformly; `nil` if it is not of its kind.
  static func canonical(_ text: String, _ kind: StorySection.Kind) -> String? {
    switch kind {
    case .text: return text
    case .money: return canonicalMoney(text)
    case .time:
      if text == "none" || text == "ever" { return text }
      return Instant(text: text)?.text
    case .day: return CivilDay(text: text)?.text
    case .bool: return ["true", "false", "none"].contains(text) ? text : nil
    case .number: return text == "none" ? text : Int(text).map { String($0) }
    }
  }

  private static func canonicalMoney(_ text: String) -> String? {
    if ["none", "unresolved", "unbounded"].contains(text) { return text }
    let parts = text.split(separator: " ").map { String($0) }
    guard let digits = parts.first, parts.count <= 2 else { return nil }
    let isNegative = digits.hasPrefix("-")
    guard let magnitude = try? Milliunits(decimal: isNegative ? String(digits.dropFirst()) : digits)
    else { return nil }
    let amount = Milliunits(isNegative ? -magnitude.rawValue : magnitude.rawValue)
    guard parts.count == 2 else { return money(amount, nil) }
    return Currency(parts[1]).map { money(amount, $0) }
  }
}
