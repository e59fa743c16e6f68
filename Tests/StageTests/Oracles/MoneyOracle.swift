internal import Foundation

/// Amounts in the reporting currency, and proceeds estimates, computed a second time: with decimal
/// arithmetic from the text of the rates file, day by day.
struct MoneyOracle {
  private var rates: [String: [String: Decimal]] = [:]
  private let wanted: String

  /// Reads a rates file in the simplest way.
  init(rates text: String, wanted: String) {
    self.wanted = wanted
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    for cells in lines.dropFirst() {
      for (name, cell) in zip(lines[0], cells).dropFirst() where !name.isEmpty && cell != "N/A" {
        rates[String(cells[0]), default: [:]][String(name)] = Decimal(string: String(cell))
      }
      rates[String(cells[0])]?["EUR"] = 1
    }
  }

  /// The amount in millionths and the day of its rates: `12069918|2021-04-30`.
  func converted(_ milli: Int?, _ currency: String?, on day: String) -> String {
    guard let milli else { return "NULL|NULL" }
    if milli == 0 || currency == wanted { return "\(milli * 1000)|\(day)" }
    for age in 0...7 {
      let rateDay = Days.text(day, adding: -age)
      guard let own = rates[rateDay]?[currency ?? ""], let other = rates[rateDay]?[wanted] else {
        continue
      }
      return "\(Self.rounded(Decimal(milli) * 1000 * other / own))|\(rateDay)"
    }
    return "NULL|NULL"
  }

  /// Rounds to a whole number, half to even.
  static func rounded(_ value: Decimal) -> Int {
    var value = value
    var rounded = Decimal()
    unsafe NSDecimalRound(&rounded, &value, 0, .bankers)
    return NSDecimalNumber(decimal: rounded).intValue
  }

  /// The proceeds estimate, from the commission and tax rates in the row.
  static func proceeds(_ row: FactRow) -> Int? {
    guard let paid = row.number("paid_reporting_micros") else { return nil }
    if paid == 0 { return 0 }
    guard let commission = row.number("commission_bp"), let tax = row.number("tax_bp") else {
      return nil
    }
    let kept = Decimal(10_000 - tax) * Decimal(10_000 - commission)
    return rounded(Decimal(paid) * kept / 100_000_000)
  }

  /// The rows of one chain that come after a year of paid service; the rows must be in order.
  ///
  /// Paid seconds are added from half-open time spans that do not overlap.
  static func afterOneYear(_ chain: [FactRow]) -> Set<Int> {
    var found: Set<Int> = []
    var spell: Int?
    var served = 0
    var reach = Int.min
    for row in chain {
      guard let own = row.number("spell_number") else { continue }
      if own != spell {
        spell = own
        served = 0
      }
      if served >= 365 * 86_400 { found.insert(row.number("purchase_key") ?? 0) }
      guard row.number("paid_milli") != 0, row.text("reversal_kind") != "refund" else { continue }
      let start = max(Days.seconds(row.text("purchased_at") ?? ""), reach)
      let end = Days.seconds(row.text("access_ends_at") ?? "")
      guard end > start else { continue }
      served += end - start
      reach = end
    }
    return found
  }
}
