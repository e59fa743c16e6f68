internal import Amounts
internal import AppleReports
internal import CivilTime
internal import PurchaseModel

private struct LineFlags {
  static let isRefund: UInt64 = 1
  static let hasPrice: UInt64 = 2
  static let hasProceeds: UInt64 = 4
  static let hasPurchaseDay: UInt64 = 8
  static let hasSettlement: UInt64 = 16
  // Bit positions of optional Booleans: 0 is unknown, 1 is false, 2 is true.
  static let isRenewal: UInt64 = 5
  static let isPreserved: UInt64 = 7
  static let isSettledLater: UInt64 = 9
}

/// The numbers for a missing text and for a repeated text in the encoded lines.
///
/// Each text of a report is stored once, at its first occurrence. If a field has no text, the
/// number is ``none``. If a field has the same text as in the last line with a text in this field,
/// the number is ``asBefore``.
private enum TextMark {
  static let none = 0
  static let asBefore = 1
  /// The number of the report's first text; each new text gets the next number.
  static let first = 2
}

/// Encodes the lines of a report for the column `apple_report.lines`.
struct ReportLinesWriter {
  /// The number of text fields in a line.
  private static let fields = 6

  private var writer = BodyWriter(numbers: .own(0))
  private var numbers: [String: Int] = [:]
  private var last = [String?](repeating: nil, count: Self.fields)
  private var lastLine = 0
  private var lastDay = CivilDay(daysSinceEpoch: 0)

  static func bytes(of lines: [AppleReportLine]) -> [UInt8] {
    var writer = ReportLinesWriter()
    for line in lines { writer.add(line) }
    return writer.writer.bytes
  }

  private mutating func add(_ line: AppleReportLine) {
    writer.signed(Int64(line.line - lastLine))
    lastLine = line.line
    var flags: UInt64 = line.isRefund ? LineFlags.isRefund : 0
    if line.unitPrice != nil { flags |= LineFlags.hasPrice }
    if line.proceeds != nil { flags |= LineFlags.hasProceeds }
    if line.purchaseDay != nil { flags |= LineFlags.hasPurchaseDay }
    if line.settledOn != nil { flags |= LineFlags.hasSettlement }
    flags |= Self.answer(line.isRenewal) << LineFlags.isRenewal
    flags |= Self.answer(line.isPreserved) << LineFlags.isPreserved
    flags |= Self.answer(line.isSettledLater) << LineFlags.isSettledLater
    writer.number(flags)
    day(line.day)
    writer.number(UInt64(line.storefront.rawValue))
    writer.number(UInt64(line.currency?.rawValue ?? 0))
    writer.signed(line.units)
    writer.signed(line.amount.rawValue)
    text(line.productID, 0)
    text(line.appleID, 1)
    text(line.offer.text, 2)
    text(line.subscriber, 3)
    text(line.app, 4)
    text(line.event, 5)
    if let price = line.unitPrice { writer.signed(price.rawValue) }
    if let proceeds = line.proceeds {
      writer.signed(proceeds.rawValue)
      writer.number(UInt64(line.proceedsCurrency?.rawValue ?? 0))
    }
    if let purchased = line.purchaseDay { day(purchased) }
    if let settled = line.settledOn { day(settled) }
  }

  private static func answer(_ value: Bool?) -> UInt64 { value.map { $0 ? 2 : 1 } ?? 0 }

  private mutating func day(_ day: CivilDay) {
    writer.signed(day.daysSinceEpoch - lastDay.daysSinceEpoch)
    lastDay = day
  }

  private mutating func text(_ text: String?, _ field: Int) {
    guard let text else { return writer.number(TextMark.none) }
    guard text != last[field] else { return writer.number(TextMark.asBefore) }
    last[field] = text
    if let known = numbers[text] { return writer.number(TextMark.first + known) }
    writer.number(TextMark.first + numbers.count)
    numbers[text] = numbers.count
    writer.number(text.utf8.count)
    for byte in text.utf8 { writer.byte(byte) }
  }
}

/// Reads lines that ``ReportLinesWriter`` has encoded.
struct ReportLinesReader {
  private var reader: BodyReader
  private let report: AppleReport
  private var texts: [String] = []
  private var last = [String?](repeating: nil, count: 6)
  private var lastLine = 0
  private var lastDay = CivilDay(daysSinceEpoch: 0)

  /// Starts before the first line; the bytes must outlive the reader.
  @unsafe init?(_ bytes: UnsafeRawBufferPointer, of report: AppleReport) {
    guard let reader = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self)) else {
      return nil
    }
    self.reader = reader
    self.report = report
  }

  /// Whether a read has found damaged bytes, such as a body that ends within a line.
  var isDamaged: Bool { reader.isDamaged }

  /// Reads the next line; `nil` after the last line, and in a damaged body.
  mutating func next() -> AppleReportLine? {
    guard !reader.isAtEnd, !reader.isDamaged else { return nil }
    lastLine &+= Int(reader.signed())
    let flags = reader.number()
    let day = day()
    let storefront = Storefront(rawValue: reader.code())
    let currency = reader.code()
    let units = reader.signed()
    var line = AppleReportLine(
      line: lastLine, report: report, day: day, storefront: storefront, units: units,
      amount: Milliunits(reader.signed()), isRefund: flags & LineFlags.isRefund != 0)
    if currency != 0 { line.currency = Currency(rawValue: currency) }
    line.isRenewal = Self.answer(flags >> LineFlags.isRenewal)
    line.isPreserved = Self.answer(flags >> LineFlags.isPreserved)
    line.isSettledLater = Self.answer(flags >> LineFlags.isSettledLater)
    line.productID = text(0)
    line.appleID = text(1)
    line.offer = AppleOffer(text: text(2))
    line.subscriber = text(3)
    line.app = text(4)
    line.event = text(5)
    if flags & LineFlags.hasPrice != 0 { line.unitPrice = Milliunits(reader.signed()) }
    if flags & LineFlags.hasProceeds != 0 {
      line.proceeds = Milliunits(reader.signed())
      let code = reader.code()
      if code != 0 { line.proceedsCurrency = Currency(rawValue: code) }
    }
    if flags & LineFlags.hasPurchaseDay != 0 { line.purchaseDay = self.day() }
    if flags & LineFlags.hasSettlement != 0 { line.settledOn = self.day() }
    return reader.isDamaged ? nil : line
  }

  private static func answer(_ bits: UInt64) -> Bool? { bits & 3 == 0 ? nil : bits & 3 == 2 }

  private mutating func day() -> CivilDay {
    let days = lastDay.daysSinceEpoch &+ reader.signed()
    guard (-1_000_000...4_000_000).contains(days) else {
      reader.giveUp()
      return lastDay
    }
    lastDay = CivilDay(daysSinceEpoch: days)
    return lastDay
  }

  private mutating func text(_ field: Int) -> String? {
    let mark = reader.number(below: TextMark.first + texts.count + 1)
    switch mark {
    case TextMark.none: return nil
    case TextMark.asBefore: return last[field]
    case TextMark.first + texts.count:
      let count = reader.count()
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      for _ in 0..<count { bytes.append(reader.byte()) }
      texts.append(String(decoding: bytes, as: UTF8.self))
    default: break
    }
    last[field] = texts[mark - TextMark.first]
    return last[field]
  }
}
