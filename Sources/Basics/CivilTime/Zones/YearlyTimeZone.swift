/// The offsets of a time zone with the same rules each year, as POSIX writes them.
///
/// Example: `CET-1CEST,M3.5.0,M10.5.0/3` is one hour ahead of UTC, and two from the last Sunday of
/// March at 2:00 to the last Sunday of October at 3:00.
struct YearlyTimeZone: Hashable, Sendable {
  /// A day such as the last Sunday of March, with a time of day in seconds.
  private struct Moment: Hashable {
    var month: Int
    /// 1 to 5; 5 is the last.
    var week: Int
    /// 0 is Sunday.
    var weekday: Int
    var seconds: Int64

    /// The moment of a year, in seconds since 1970 on the clock of the zone.
    func local(inYear year: Int) -> Int64? {
      guard let first = CivilDay(year: year, month: month, day: 1) else { return nil }
      var day = first.daysSinceEpoch + Int64((weekday - first.weekday % 7 + 7) % 7)
      day += Int64(week - 1) * 7
      while CivilDay(daysSinceEpoch: day).date.month != month { day -= 7 }
      return day * 86_400 + seconds
    }
  }

  private let standard: Int64
  private var summer: Summer?

  /// The offset in summer, and its first and last moment.
  private struct Summer: Hashable {
    var offset: Int64
    var begins: Moment
    var ends: Moment
  }

  /// Reads the text; `nil` for an empty one and for rules in another form.
  init?(_ text: String) {
    var rest = Substring(text)
    guard Self.skipName(&rest), let ahead = Self.seconds(&rest) else { return nil }
    standard = -ahead
    guard !rest.isEmpty else { return }
    guard Self.skipName(&rest) else { return nil }
    let offset = rest.first == "," ? standard + 3600 : Self.seconds(&rest).map { -$0 }
    guard let offset, let begins = Self.moment(&rest), let ends = Self.moment(&rest), rest.isEmpty
    else { return nil }
    summer = Summer(offset: offset, begins: begins, ends: ends)
  }

  /// The offset at a moment in seconds since 1970.
  func offset(at seconds: Int64) -> Int64 {
    let days = (seconds + standard) / 86_400
    let year = CivilDay(daysSinceEpoch: days).date.year
    guard let summer, let begins = summer.begins.local(inYear: year),
      let ends = summer.ends.local(inYear: year)
    else { return standard }
    let (first, last) = (begins - standard, ends - summer.offset)
    // In the south summer spans the turn of the year.
    let isSummer =
      first < last ? first..<last ~= seconds : !(last..<first ~= seconds)
    return isSummer ? summer.offset : standard
  }

  private static func skipName(_ rest: inout Substring) -> Bool {
    let count = rest.count
    if rest.first == "<" {
      rest = rest.drop { $0 != ">" }.dropFirst()
    } else {
      rest = rest.drop { $0.isLetter }
    }
    return rest.count < count
  }

  /// Reads hours, with minutes and seconds after colons, as seconds.
  private static func seconds(_ rest: inout Substring) -> Int64? {
    let text = rest.prefix { "+-:0123456789".contains($0) }
    rest = rest.dropFirst(text.count)
    let parts = text.drop { $0 == "+" || $0 == "-" }.split(separator: ":").map { Int64($0) }
    guard !parts.isEmpty, parts.count <= 3, !parts.contains(nil) else { return nil }
    var value: Int64 = 0
    for (part, scale) in zip(parts, [3600, 60, 1] as [Int64]) { value += (part ?? 0) * scale }
    return text.first == "-" ? -value : value
  }

  /// Reads a moment such as `,M3.5.0/2`; two o'clock without a time.
  private static func moment(_ rest: inout Substring) -> Moment? {
    guard rest.hasPrefix(",M") else { return nil }
    let text = rest.dropFirst(2).prefix { $0 != "," && $0 != "/" }
    rest = rest.dropFirst(2 + text.count)
    let parts = text.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 3, 1...12 ~= parts[0], 1...5 ~= parts[1], 0...6 ~= parts[2] else {
      return nil
    }
    var time: Int64? = 7200
    if rest.first == "/" {
      rest = rest.dropFirst()
      time = seconds(&rest)
    }
    return time.map { Moment(month: parts[0], week: parts[1], weekday: parts[2], seconds: $0) }
  }
}
