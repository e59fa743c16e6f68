internal import Amounts

/// Compares the totals at the end of a financial report with the sums of its lines.
///
/// The totals are `Total_Rows`, `Total_Amount` and `Total_Units`.
struct ReportTotals {
  private var rows: Int64 = 0
  private var units: Int64 = 0
  /// Two sums over the lines, in thousandths; `nil` after an amount that cannot be read.
  ///
  /// `extended` is the sum of the amounts. `each` is the sum of amount times quantity.
  private var money: (extended: Int64, each: Int64)? = (0, 0)
  private var statedTotals: [String: String] = [:]

  mutating func count(_ row: ReportRow) {
    rows += 1
    guard let quantity = try? row.number(.quantity) else { return }
    units += quantity
    guard let share = try? row.amount(.extendedPartnerShare).rawValue,
      share.magnitude <= 1_000_000_000_000_000, var sums = money
    else {
      money = nil
      return
    }
    sums.extended &+= share
    sums.each &+= share &* quantity
    money = sums
  }

  /// Reads a line with a total, such as `Total_Units`; returns `false` for any other line.
  mutating func take(last line: [UInt8]) -> Bool {
    guard line.starts(with: "Total_".utf8) else { return false }
    let cells = ReportRow.texts(line)
    statedTotals[cells[0].lowercased()] = cells.count > 1 ? cells[1] : ""
    return true
  }

  /// A message about the first total that differs from the sum of the lines; `nil` if none differs.
  ///
  /// `Total_Amount` may be the sum of the amounts, or the sum of the amounts times quantities.
  var fault: String? {
    for (name, found, word) in [("total_rows", rows, "rows"), ("total_units", units, "units")] {
      if let stated = statedTotals[name].flatMap({ Int64($0) }), stated != found {
        return "\(stated) \(word), but the file has \(found)"
      }
    }
    guard let text = statedTotals["total_amount"],
      let stated = ReportRow.decimal(Array(text.utf8).span)?.rawValue, let money,
      stated != money.extended, stated != money.each
    else { return nil }
    return "\(text) in total, but the amounts of the lines have another sum"
  }
}
