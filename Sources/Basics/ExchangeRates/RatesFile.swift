internal import Amounts
internal import CivilTime

/// The reason why a rates file cannot be used.
public struct RatesFileError: Error, Hashable, Sendable {
  /// The number of the line; 1-based.
  public var line: Int
  /// The expected and the found text, in one line.
  public var message: String

  /// Creates an error for a line.
  public init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension ExchangeRates {
  /// Reads the European Central Bank's history file, `eurofxref-hist.csv`, as published.
  ///
  /// The first line has the currencies: `Date,USD,JPY,…,`. Each other line has a day and its rates,
  /// newest day first. `N/A` means that there is no rate. A comma may end each line, as in the
  /// original file. Any other line is an error: a wrong rate would change all figures of a day.
  public init(historyFile bytes: [UInt8]) throws(RatesFileError) {
    self.init()
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    guard let first = lines.popFirst() else {
      throw RatesFileError(line: 1, message: "expected the header Date,USD,…, found an empty file")
    }
    let header = try RatesHeader(first, second: lines.first)
    var columns = header.currencies.map { Series(currency: $0) }
    var newest: CivilDay?
    for (index, line) in lines.enumerated() {
      let number = index + 2
      let cells = Self.cells(line)
      let day = try Self.day(cells[0], before: newest, line: number)
      newest = day
      let rates = cells.dropFirst()
      let isComplete =
        rates.count == columns.count || (rates.count == columns.count + 1 && rates.last == [])
      guard isComplete else {
        throw RatesFileError(
          line: number,
          message: "expected \(columns.count) rates as in the header, found \(rates.count)")
      }
      for (column, cell) in rates.prefix(columns.count).enumerated() where !cell.isNotAvailable {
        guard let rate = ExchangeRate(decimal: cell) else {
          throw RatesFileError(
            line: number,
            message: "expected \(header.currencies[column].code) to be a positive decimal with at "
              + "most nine digits before and after the point, or N/A, found \(cell.quoted)")
        }
        columns[column].days.append(Int32(day.daysSinceEpoch))
        columns[column].rates.append(rate)
      }
    }
    guard newest != nil else {
      throw RatesFileError(
        line: 2, message: "expected a day and its rates, found the end of the file")
    }
    for column in columns {
      add(
        Series(
          currency: column.currency, days: column.days.reversed(), rates: column.rates.reversed()))
    }
  }

  /// Splits a line at its commas into fields; leaves out a carriage return at the end.
  static func cells(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    return text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  }

  private static func day(_ cell: ArraySlice<UInt8>, before newest: CivilDay?, line: Int)
    throws(RatesFileError) -> CivilDay
  {
    guard let day = CivilDay(text: String(decoding: cell, as: UTF8.self)) else {
      throw RatesFileError(
        line: line, message: "expected a day such as 2021-05-03, found \(cell.quoted)")
    }
    if let newest, day >= newest {
      throw RatesFileError(
        line: line, message: "expected a day before \(newest.text), newest first, found \(day.text)"
      )
    }
    return day
  }
}

/// The currencies of a rates file, in the order of its columns.
private struct RatesHeader {
  var currencies: [Currency] = []

  init(_ line: ArraySlice<UInt8>, second: ArraySlice<UInt8>?) throws(RatesFileError) {
    if line.starts(with: [0x50, 0x4B]) {
      throw RatesFileError(
        line: 1,
        message: "found a zip archive; unpack it, and name its file eurofxref-hist.csv in the "
          + "pipeline")
    }
    let cells = ExchangeRates.cells(line)
    guard cells[0].elementsEqual("Date".utf8) else {
      throw RatesFileError(
        line: 1,
        message: "expected the header Date,USD,… of the European Central Bank's "
          + "eurofxref-hist.csv, found \(cells[0].quoted)")
    }
    // The bank's file of a single day has a space after each comma, and a word for the month.
    if cells.dropFirst().first?.first == UInt8(ascii: " ") {
      let day = second.map { " (\(ExchangeRates.cells($0)[0].quoted))" } ?? ""
      throw RatesFileError(
        line: 1,
        message: "found the rates of one day\(day), as in eurofxref.csv; use the history instead: "
          + "eurofxref-hist.csv from the European Central Bank's eurofxref-hist.zip")
    }
    var names = cells.dropFirst()
    if names.last == [] { names.removeLast() }
    for name in names {
      let text = String(decoding: name, as: UTF8.self)
      guard let currency = Currency(text), currency.code == text, currency != ExchangeRates.base
      else {
        throw RatesFileError(
          line: 1,
          message: "expected the header to name currencies of three capital letters other than "
            + "EUR, found \(name.quoted)")
      }
      guard !currencies.contains(currency) else {
        throw RatesFileError(
          line: 1, message: "expected the header to name each currency once, found \(text) twice")
      }
      currencies.append(currency)
    }
    guard !currencies.isEmpty else {
      throw RatesFileError(line: 1, message: "expected the header to name currencies, found none")
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the field is `N/A`: the currency has no rate on the day of the line.
  fileprivate var isNotAvailable: Bool { elementsEqual("N/A".utf8) }

  /// The first 40 bytes in quotation marks, with `?` for bytes that cannot be displayed.
  fileprivate var quoted: String {
    let shown = prefix(40).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return "\"" + String(decoding: shown, as: UTF8.self) + (count > 40 ? "…\"" : "\"")
  }
}
