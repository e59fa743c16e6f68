extension Instant {
  /// Reads a date as spreadsheets write it, in UTC; `nil` for anything else.
  ///
  /// Accepts `30.05.2021 9:05:07`, `2021/05/30 9:05:07`, and times without seconds, which also
  /// occur after `2021-05-30`. In `5/6/2021` the month cannot be told from the day, so it is `nil`.
  public init?(spreadsheetText text: Span<UInt8>) {
    var numbers: [(value: Int, digits: Int)] = []
    var separators: [UInt8] = []
    var isNumber = false
    for index in text.indices {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        if isNumber {
          let last = numbers[numbers.count - 1]
          guard last.digits < 4 else { return nil }
          numbers[numbers.count - 1] = (last.value * 10 + Int(digit), last.digits + 1)
        } else {
          numbers.append((Int(digit), 1))
        }
        isNumber = true
      } else {
        guard isNumber, numbers.count < 6 else { return nil }
        separators.append(text[index])
        isNumber = false
      }
    }
    guard isNumber, [3, 5, 6].contains(numbers.count), separators.count == numbers.count - 1,
      separators[0] == separators[1]
    else { return nil }
    let isYearFirst = numbers[0].digits == 4
    switch separators[0] {
    case UInt8(ascii: "."): guard !isYearFirst, numbers[2].digits == 4 else { return nil }
    case UInt8(ascii: "/"), UInt8(ascii: "-"): guard isYearFirst else { return nil }
    default: return nil
    }
    let (year, dayOfMonth) = isYearFirst ? (numbers[0], numbers[2]) : (numbers[2], numbers[0])
    guard
      let day = CivilDay(year: year.value, month: numbers[1].value, day: dayOfMonth.value)
    else { return nil }
    guard numbers.count > 3 else {
      self = day.start
      return
    }
    let second = numbers.count == 6 ? numbers[5].value : 0
    guard separators[2] == 0x20 || separators[2] == UInt8(ascii: "T"),
      separators.dropFirst(3).allSatisfy({ $0 == UInt8(ascii: ":") }),
      numbers[3].value < 24, numbers[4].value < 60, second < 60
    else { return nil }
    self = day.start.advanced(
      by: .seconds(Int64((numbers[3].value * 60 + numbers[4].value) * 60 + second)))
  }
}
