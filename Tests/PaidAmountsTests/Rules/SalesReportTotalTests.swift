import Amounts
import CivilTime
import PaidAmounts
import PurchaseModel
import Testing

/// The proofs from cells of Apple's reports, without other evidence for a row.
struct SalesReportTotalTests {
  private static let product = ProductID(Symbol(rawValue: 1))

  private static func cell(
    _ day: String, in storefront: String? = "USA", offer: SalesReportTotals.Offer = .none
  ) throws -> SalesReportTotals.Cell {
    SalesReportTotals.Cell(
      day: try #require(CivilDay(text: "2024-05-\(day)")), productID: product,
      storefront: storefront.flatMap { Storefront($0) },
      currency: try #require(Currency("USD")), offer: offer)
  }

  /// Cells without units, for reports of 30 days from May 1.
  private static func cells() throws -> SalesReportTotals {
    let first = try #require(CivilDay(text: "2024-05-01"))
    let days = Set((0..<30).map { first.advanced(by: $0) })
    return SalesReportTotals(subscriberDays: days, salesDays: [])
  }

  private static func proof(_ cells: SalesReportTotals, _ cell: SalesReportTotals.Cell)
    -> SalesReportTotals.Proof?
  {
    cells.proof(in: cell, isSubscription: true)
  }

  @Test func `one price in the cell and beside it is proven`() throws {
    var cells = try Self.cells()
    let cell = try Self.cell("10")
    cells.add(2, at: Milliunits(9990), in: cell)
    cells.add(1, at: Milliunits(9990), in: try Self.cell("09"))
    cells.count([cell: 2])
    #expect(Self.proof(cells, cell) == .price(Milliunits(9990), isChecked: false))
    // Another offer, and a day two days later, are other cells.
    cells.add(5, at: Milliunits(990), in: try Self.cell("10", offer: .introductory))
    cells.add(5, at: Milliunits(4990), in: try Self.cell("12"))
    #expect(Self.proof(cells, cell) == .price(Milliunits(9990), isChecked: false))
  }

  @Test func `an id that several apps sell proves nothing`() throws {
    let cell = try Self.cell("10")
    let days = Set((-1...1).map { cell.day.advanced(by: $0) })
    for (shared, isProven) in [(Set<ProductID>(), true), ([Self.product], false)] {
      var cells = SalesReportTotals(subscriberDays: days, salesDays: [], shared: shared)
      cells.add(1, at: Milliunits(9990), in: cell)
      cells.count([cell: 1])
      #expect((Self.proof(cells, cell) != nil) == isProven)
    }
  }

  @Test func `another price on the day beside it leaves bounds`() throws {
    var cells = try Self.cells()
    let cell = try Self.cell("10")
    cells.add(2, at: Milliunits(9990), in: cell)
    cells.add(1, at: Milliunits(7990), in: try Self.cell("11"))
    cells.count([cell: 2])
    #expect(Self.proof(cells, cell) == .between(Milliunits(7990), Milliunits(9990)))
  }

  @Test func `more rows than Apple has units prove nothing`() throws {
    var cells = try Self.cells()
    let cell = try Self.cell("10")
    cells.add(2, at: Milliunits(9990), in: cell)
    cells.count([cell: 3])
    #expect(Self.proof(cells, cell) == nil)
    // Rows on the neighboring days that Apple does not have invalidate the proof too.
    var crowded = try Self.cells()
    crowded.add(2, at: Milliunits(9990), in: cell)
    crowded.count([cell: 1, try Self.cell("11"): 2])
    #expect(Self.proof(crowded, cell) == nil)
  }

  @Test func `a day beside one that was not read proves nothing`() throws {
    var cells = try Self.cells()
    for day in ["01", "30"] {
      let cell = try Self.cell(day)
      cells.add(2, at: Milliunits(9990), in: cell)
      cells.count([cell: 1])
      #expect(Self.proof(cells, cell) == nil)
    }
    let inside = try Self.cell("15")
    cells.add(1, at: Milliunits(9990), in: inside)
    #expect(Self.proof(cells, inside) != nil)
    #expect(cells.proof(in: inside, isSubscription: false) == nil)
  }

  @Test func `without a storefront all of the currency count together`() throws {
    var cells = try Self.cells()
    let anywhere = try Self.cell("10", in: nil)
    cells.add(1, at: Milliunits(9990), in: try Self.cell("10"))
    cells.add(1, at: Milliunits(9990), in: try Self.cell("10", in: "ECU"))
    cells.count([anywhere: 1, try Self.cell("10"): 1])
    #expect(Self.proof(cells, anywhere) == .price(Milliunits(9990), isChecked: false))
    cells.add(1, at: Milliunits(8990), in: try Self.cell("10", in: "SLV"))
    #expect(Self.proof(cells, anywhere) == .between(Milliunits(8990), Milliunits(9990)))
    // The price in another storefront does not affect this storefront's cell.
    #expect(Self.proof(cells, try Self.cell("10")) == .price(Milliunits(9990), isChecked: false))
  }

  @Test func `two reports of each day check a price, and two that differ take every proof`() throws
  {
    let first = try #require(CivilDay(text: "2024-05-01"))
    let days = Set((0..<30).map { first.advanced(by: $0) })
    let cell = try Self.cell("10")
    func cells(without day: String? = nil) throws -> SalesReportTotals {
      let missing = try day.map { try #require(CivilDay(text: "2024-05-\($0)")) }
      var cells = SalesReportTotals(
        subscriberDays: days, salesDays: days.subtracting(missing.map { [$0] } ?? []))
      cells.add(2, at: Milliunits(9990), in: cell)
      cells.count([cell: 2])
      return cells
    }
    #expect(Self.proof(try cells(), cell) == .price(Milliunits(9990), isChecked: true))
    #expect(
      Self.proof(try cells(without: "11"), cell) == .price(Milliunits(9990), isChecked: false))
    // Doubts apply to the same storefront within two days; for a row without a storefront, to all
    // storefronts with its currency.
    for (day, storefront, isDoubted) in [
      ("12", "USA", true), ("13", "USA", false), ("10", "ECU", false),
    ] {
      var doubted = try cells()
      doubted.doubt(
        try #require(CivilDay(text: "2024-05-\(day)")), cell.productID,
        in: Storefront(storefront))
      #expect((Self.proof(doubted, cell) == nil) == isDoubted, "\(day) \(storefront)")
    }
    var elsewhere = try cells()
    let anywhere = try Self.cell("10", in: nil)
    elsewhere.count([anywhere: 0])
    #expect(Self.proof(elsewhere, anywhere) != nil)
    elsewhere.doubt(cell.day, cell.productID, in: Storefront("ECU"))
    #expect(Self.proof(elsewhere, anywhere) == nil)
  }

  @Test func `a Sales report alone proves too, and checks nothing`() throws {
    let first = try #require(CivilDay(text: "2024-05-01"))
    let days = Set((0..<30).map { first.advanced(by: $0) })
    let cell = try Self.cell("10")
    for subscriber in [[], days.subtracting([cell.day])] {
      var cells = SalesReportTotals(subscriberDays: subscriber, salesDays: days)
      cells.add(2, at: Milliunits(9990), in: cell)
      cells.count([cell: 2])
      #expect(Self.proof(cells, cell) == .price(Milliunits(9990), isChecked: false))
      #expect(
        cells.proof(in: cell, isSubscription: false)
          == .price(Milliunits(9990), isChecked: false))
    }
  }

  @Test func `proceeds are told where all units of a price have the same`() throws {
    var cells = try Self.cells()
    let cell = try Self.cell("10")
    let dollars = try #require(Currency("USD"))
    func proceeds(_ milli: Int64) -> SalesReportTotals.Proceeds {
      SalesReportTotals.Proceeds(amount: Milliunits(milli), currency: dollars)
    }
    cells.add(2, at: Milliunits(9990), in: cell, proceeds: proceeds(6_990))
    cells.add(1, at: Milliunits(4990), in: cell, proceeds: proceeds(3_490))
    #expect(cells.proceeds(in: cell, at: Milliunits(9990)) == proceeds(6_990))
    // After a year of paid service Apple's commission is lower.
    cells.add(1, at: Milliunits(9990), in: try Self.cell("11"), proceeds: proceeds(8_490))
    #expect(cells.proceeds(in: cell, at: Milliunits(9990)) == nil)
  }
}

extension SalesReportTotals {
  /// Adds rows of the facts, keyed by cell.
  fileprivate mutating func count(_ units: [Cell: Int64]) {
    for (cell, units) in units { count(CellRow(cell, units: units)) }
  }
}
