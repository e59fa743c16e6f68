/// A length of subscription time in the format of ISO 8601: `P1W`, `P1M`, `P3M`, `P1Y`.
///
/// It is stored as a number of days or of months, because months have different numbers of days.
/// Weeks become days and years become months, so `P7D` and `P1W` are equal.
public struct Period: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The unit of ``count``: weeks are stored as days, and years as months.
  public enum Unit: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
    /// Days of 24 hours; a week is seven days.
    case day
    /// Calendar months; a year is twelve months.
    case month
  }

  /// The number of units, from 1 to 12,000.
  public let count: Int32
  /// The unit: days or months.
  public let unit: Unit

  /// Creates a period of a number of days or months; `nil` if the number is not in 1…12,000.
  public init?(_ count: Int, _ unit: Unit) {
    guard (1...12_000).contains(count) else { return nil }
    self.count = Int32(count)
    self.unit = unit
  }

  /// Reads `P`, followed by years, months, weeks and days, such as `P1Y6M` or `P2W`.
  ///
  /// `nil` for a mixture of days and months, as in `P1M3D`.
  public init?(text: Span<UInt8>) {
    guard text.count >= 3, text[0] == UInt8(ascii: "P") else { return nil }
    var months = 0
    var days = 0
    var value: Int?
    for index in 1..<text.count {
      let byte = text[index]
      if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        let next = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard next <= 12_000 else { return nil }
        value = next
        continue
      }
      guard let count = value else { return nil }
      value = nil
      switch byte {
      case UInt8(ascii: "Y"): months += count * 12
      case UInt8(ascii: "M"): months += count
      case UInt8(ascii: "W"): days += count * 7
      case UInt8(ascii: "D"): days += count
      default: return nil
      }
    }
    guard value == nil, (months == 0) != (days == 0) else { return nil }
    self.init(months == 0 ? days : months, months == 0 ? .day : .month)
  }

  /// Reads a period from a string; see ``init(text:)-(Span<UInt8>)``.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }

  /// The period in ISO 8601, in the largest unit without a fraction: `P1Y`, `P3M`, `P2W`, `P3D`.
  public var text: String {
    switch unit {
    case .day: count % 7 == 0 ? "P\(count / 7)W" : "P\(count)D"
    case .month: count % 12 == 0 ? "P\(count / 12)Y" : "P\(count)M"
    }
  }

  /// The nominal length in hours, rounded to the nearest hour; a month has 365.25 / 12 days.
  public var nominalHours: Int64 {
    unit == .day ? Int64(count) * 24 : (Int64(count) * 8766 + 6) / 12
  }

  /// Orders periods by nominal length.
  public static func < (left: Period, right: Period) -> Bool {
    (left.nominalHours, left.unit.rawValue) < (right.nominalHours, right.unit.rawValue)
  }

  /// The period repeated a number of times; `nil` above 12,000 days or months.
  public func multiplied(by times: Int) -> Period? {
    guard times >= 1, times <= 12_000 else { return nil }
    return Period(Int(count) * times, unit)
  }

  /// Returns the number of these periods that a duration needs, rounded up; at least 1.
  ///
  /// Examples: 21 days are three `P1W`, and 22 days are four. An excess of up to a twentieth of the
  /// period is ignored, so that 31 days are one `P1M`.
  public func count(in length: Milliseconds) -> Int64 {
    let own = nominalHours * 3_600_000
    return max(1, (length.rawValue - own / 20 + own - 1) / own)
  }

  /// Finds the period on sale in the App Store that is nearest to a measured duration; `nil` for a
  /// duration of zero or less.
  ///
  /// The periods on sale are P3D, P1W, P2W, P1M, P2M, P3M, P6M and P1Y. Clock changes of one hour
  /// and months of 28 to 31 days do not affect the result. Example: 30 days and 23 hours → P1M.
  ///
  /// An offer that is paid up front may last nine months or two years. So with `allowingMultiples`,
  /// the result may be any number of whole months. This is the case if the duration is longer than
  /// 27 days and differs from the nearest period on sale by more than a tenth of that period.
  public static func nearest(to length: Milliseconds, allowingMultiples: Bool = false) -> Period? {
    guard length.rawValue > 0 else { return nil }
    let hours = length.rawValue / 3_600_000
    func distance(_ period: Period) -> Int64 { abs(period.nominalHours - hours) }
    guard let best = periodsOnSale.min(by: { distance($0) < distance($1) }) else { return nil }
    let isFar = distance(best) * 10 > best.nominalHours && hours > 27 * 24
    guard allowingMultiples, isFar else { return best }
    return Period(Int(min(max(1, (hours * 12 + 4383) / 8766), 12_000)), .month) ?? best
  }
}

private let periodsOnSale: [Period] = [
  Period(3, .day), Period(7, .day), Period(14, .day), Period(1, .month), Period(2, .month),
  Period(3, .month), Period(6, .month), Period(12, .month),
].compactMap(\.self)
