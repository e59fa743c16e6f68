import Amounts
import AppleReports
import CivilTime
import PurchaseModel
import Reconciling
import TestSupport
import Testing

struct ReconcileTests {
  @Test func `equal sides are equal`() {
    var books = Books()
    books.apple("05-10", 3, 9990)
    books.ours("05-10", 9990)
    books.ours("05-10", 19_980, quantity: 2)
    // 3 units and 29.97 on both sides.
    #expect(books.sums() == ["2024-05 pro USA USD equal 3:3 29970:29970"])
  }

  @Test func `a charge before midnight of the month's end is a day boundary`() {
    var books = Books(from: "2024-04-01")
    books.apple("04-30", 1, 9990)
    books.ours("05-01", 9990)
    books.apple("05-10", 1, 9990)
    books.ours("05-11", 9990)
    // In April Apple has 9.99 more; in May the facts have 9.99 more. The shift within May does not
    // change a sum.
    #expect(
      books.sums() == [
        "2024-04 pro USA USD day_boundary 1:0 9990:0",
        "2024-05 pro USA USD equal 1:1 9990:9990",
        "2024-05 pro USA USD day_boundary 0:1 0:9990",
      ])
  }

  @Test func `a day beside those that are reported explains what is missing there`() {
    var books = Books(from: "2024-05-10", through: "2024-05-12")
    books.apple("05-10", 1, 9990)
    books.ours("05-09", 9990)  // Not compared: no report of that day was read.
    books.ours("05-12", 4990)  // May stand in the report of the 13th.
    books.ours("05-11", 2990)
    #expect(
      books.sums() == [
        "2024-05 pro USA USD day_boundary 1:0 9990:0",
        "2024-05 pro USA USD no_report 0:1 0:4990",
        "2024-05 pro USA USD unexplained 0:1 0:2990",
      ])
  }

  @Test func `a wrong price and an unknown one are told as price`() {
    var books = Books()
    books.apple("05-10", 2, 9990)
    books.apple("05-11", 1, 4990)
    books.ours("05-10", 7990)
    books.ours("05-10", nil)
    books.ours("05-11", 4990)
    // 19.98 in Apple's reports, 7.99 in the facts.
    #expect(
      books.sums() == [
        "2024-05 pro USA USD equal 1:1 4990:4990", "2024-05 pro USA USD price 2:2 19980:7990",
      ])
    #expect(books.result().rows.filter { $0.cause == .price }.map(\.purchaseKey) == [1, 2])
  }

  @Test func `a receipt that never came is Apple's alone`() {
    var books = Books()
    books.apple("05-10", 3, 9990)
    books.ours("05-10", 9990)
    books.apple("05-20", 1, 990, of: "coins")
    #expect(
      books.sums() == [
        "2024-05 coins USA USD receipt_missing 1:0 990:0",
        "2024-05 pro USA USD equal 1:1 9990:9990",
        "2024-05 pro USA USD receipt_missing 2:0 19980:0",
      ])
  }

  @Test func `free rows of Apple's reports are no charges`() {
    var books = Books()
    books.apple("05-10", 1, 0, offer: .named("CR-RW"))
    books.ours("05-10", 9990)
    books.apple("05-11", 1, 0, offer: .introductory)
    books.ours("05-11", 0, offer: .introductory)
    // A trial is free on both sides, and is left out.
    #expect(books.sums() == ["2024-05 pro USA USD not_charged 1:1 0:9990"])
  }

  @Test func `charges that Apple does not know are unexplained`() {
    var books = Books()
    books.ours("05-10", 9990)
    books.ours("05-10", nil, in: nil, nil)
    #expect(
      books.sums() == [
        "2024-05 pro - - unknown_amount 0:1 0:0", "2024-05 pro USA USD unexplained 0:1 0:9990",
      ])
  }

  @Test func `a row without a storefront counts where Apple has one left`() {
    var books = Books()
    books.apple("05-10", 1, 9990)
    books.ours("05-10", 9990, in: nil)
    books.apple("05-10", 1, 8990, in: "DEU", "EUR")
    books.ours("05-10", nil, in: nil, nil)
    #expect(
      books.sums() == [
        "2024-05 pro DEU EUR price 1:1 8990:0", "2024-05 pro USA USD equal 1:1 9990:9990",
      ])
  }

  @Test func `refunds are compared by the day of their purchase`() {
    var books = Books(from: "2024-04-01")
    books.apple("05-02", 2, 9990)
    books.ours("05-02", 9990, refunded: "05-20")
    books.ours("05-02", 9990, refunded: "05-21")
    // One refund has Apple's day. The other refund is nine days earlier in the same month.
    books.apple("05-20", -1, 9990, bought: "05-02")
    books.apple("05-30", -1, 9990, bought: "05-02")
    // Two charges and two refunds on both sides: no difference remains.
    #expect(books.sums() == [])
  }

  @Test func `a refund that one side alone knows, or in another month, is told as refund`() {
    var books = Books(from: "2024-04-01")
    books.apple("04-10", 3, 9990)
    books.ours("04-10", 9990)
    books.ours("04-10", 9990, refunded: "05-03")
    books.ours("04-10", 9990, refunded: "05-04")
    books.apple("04-25", -1, 9990, bought: "04-10")
    // In April there are 3 charges on both sides. Apple's refund of April is a refund of May in the
    // facts, and Apple does not have the other refund of May.
    #expect(
      books.sums() == [
        "2024-04 pro USA USD equal 3:3 29970:29970",
        "2024-04 pro USA USD refund -1:0 -9990:0",
        "2024-05 pro USA USD refund 0:-2 0:-19980",
      ])
  }

  @Test func `parts that went back are told as proration`() {
    var books = Books()
    books.apple("05-02", 2, 9990)
    books.ours("05-02", 9990)
    books.ours("05-02", 9990, refunded: "05-20")
    books.apple("05-12", 0, 6660, bought: "05-02")
    books.apple("05-20", -1, 4990, bought: "05-02")
    // Apple refunded 6.66 for an upgrade, which no row shows. Of the refund Apple paid only 4.99,
    // not 9.99.
    #expect(
      books.sums() == [
        "2024-05 pro USA USD equal 2:2 19980:19980",
        "2024-05 pro USA USD proration -1:-1 -11650:-9990",
      ])
  }

  @Test func `subscriptions count from one report, and the rest from Sales`() {
    var books = ReconciledReports(
      subscriberDays: [Books.day("05-10")], salesDays: [Books.day("05-10"), Books.day("05-11")])
    func line(_ day: String, _ report: AppleReport, isRenewal: Bool?) -> AppleReportLine {
      var line = AppleReportLine(
        line: 2, report: report, day: Books.day(day), storefront: Storefront(rawValue: 0), units: 1)
      line.isRenewal = isRenewal
      line.currency = Currency("USD")
      line.productID = "\(report.rawValue) \(isRenewal == nil ? "coins" : "pro")"
      return line
    }
    for day in ["05-10", "05-11"] {
      books.add(line(day, .sales, isRenewal: false))
      books.add(line(day, .sales, isRenewal: nil))
    }
    books.add(line("05-10", .subscriber, isRenewal: false))
    books.add(line("05-10", .subscription, isRenewal: false))
    #expect(
      books.lines.map { "\($0.line.day.text.suffix(5)) \($0.productID)" } == [
        "05-10 sales coins", "05-11 sales pro", "05-11 sales coins", "05-10 subscriber pro",
      ])
    #expect(books.covers(Books.day("05-11"), isSubscription: true))
    #expect(!books.covers(Books.day("05-12"), isSubscription: false))
    var nameless = line("05-10", .subscriber, isRenewal: nil)
    nameless.productID = nil
    nameless.appleID = "17"
    books.add(nameless)
    #expect(books.unmapped.map(\.appleID) == ["17"])
    #expect(reconcile([], with: books).unknownNumbers == ["17": 1])
  }

  @Test func `causes sum to the difference, whatever both sides say and in any order`() {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
      func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
      var books = Books(from: "2024-04-20", through: "2024-05-12")
      if below(3) == 0 { books.gaps = [Books.day("04-30"), Books.day("05-02")] }
      if below(3) == 0 { books.known = ["pro"] }
      let days = ["04-19", "04-29", "04-30", "05-01", "05-02", "05-12", "05-13"]
      for _ in 0..<below(12) {
        let units = pick([1, 1, 2, -1, 0] as [Int64])
        books.apple(
          pick(days), units, pick([0, 4990, 9990]), of: pick(["pro", "coins"]),
          in: pick(["USA", "DEU"]), offer: pick([.none, .introductory, .named("a")]),
          bought: units <= 0 && below(2) == 0 ? pick(days) : nil,
          app: pick([nil, "NOTES", "CHESS"]))
      }
      for _ in 0..<below(12) {
        books.ours(
          pick(days), pick([0, 4990, 9990, nil]), of: pick(["pro", "coins"]),
          in: pick(["USA", "DEU", nil]), offer: pick([.none, .introductory, .named("a")]),
          quantity: pick([1, 1, 2]), refunded: below(4) == 0 ? pick(days) : nil,
          run: pick(["", "a 1", "b 1"]), lateUntil: below(4) == 0 ? "05-13" : nil)
      }
      // A row without a storefront is included where it is matched, so only the sums of whole
      // products are compared.
      var differences: [String: Int64] = [:]
      for (cell, causes) in books.result().sums {
        differences["\(cell.month) \(cell.productID)", default: 0] +=
          causes.values.reduce(0) { $0 + $1.difference }
      }
      var expected: [String: Int64] = [:]
      for (cell, difference) in books.difference {
        expected["\(cell.month) \(cell.productID)", default: 0] += difference
      }
      #expect(
        differences.filter { $0.value != 0 } == expected.filter { $0.value != 0 }, "seed \(seed)")
      #expect(books.sums() == books.sums(shuffled: true), "seed \(seed)")
    }
  }
}
