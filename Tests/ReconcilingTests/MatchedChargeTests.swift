import PurchaseModel
import Reconciling
import Testing

/// Which of Apple's charges belongs to which row: late payments, and rows of unknown storefront.
struct MatchedChargeTests {
  @Test func `a late payment without a sign is found where both sides have one unit left`() {
    var books = Books(from: "2024-04-01")
    books.apple("05-09", 1, 9990)
    books.ours("05-03", 9990)
    #expect(books.sums() == ["2024-05 pro USA USD recovered_late 1:1 9990:9990"])
    // With a second charge at that price, or a gap of more than 16 days, a match would be a guess.
    var two = books
    two.apple("05-12", 1, 9990)
    #expect(two.sums().contains("2024-05 pro USA USD unexplained 0:1 0:9990"))
    var far = Books(from: "2024-04-01")
    far.apple("05-20", 1, 9990)
    far.ours("05-03", 9990)
    #expect(far.sums().contains("2024-05 pro USA USD unexplained 0:1 0:9990"))
  }

  @Test func `of two rows with one charge the one beside a missing report is left`() {
    for shuffled in [false, true] {
      var books = Books()
      books.gaps = [Books.day("05-09")]
      books.apple("05-10", 1, 9990)
      // The row of the 9th is earlier, but its own charge may be in the missing report.
      books.ours("05-09", 9990)
      books.ours("05-11", 9990)
      #expect(
        books.sums(shuffled: shuffled) == [
          "2024-05 pro USA USD equal 1:1 9990:9990", "2024-05 pro USA USD no_report 0:1 0:9990",
        ])
    }
  }

  @Test func `a payment that recovered late is found on the day of the charge`() {
    var books = Books(from: "2024-04-01")
    books.apple("05-08", 1, 9990)
    books.ours("04-28", 9990, lateUntil: "06-27")
    // The charge is ten days late, in another month: both sides have 9.99 with the same cause.
    #expect(
      books.sums() == [
        "2024-04 pro USA USD recovered_late 0:1 0:9990",
        "2024-05 pro USA USD recovered_late 1:0 9990:0",
      ])
    // A row that was charged on time is matched first, in any order of the input. The late row may
    // then be charged after the last report.
    books.ours("05-08", 9990)
    #expect(
      books.sums() == [
        "2024-04 pro USA USD no_report 0:1 0:9990", "2024-05 pro USA USD equal 1:1 9990:9990",
      ])
  }

  @Test func `a late payment leaves other rows the charge of their own day`() {
    // On its own day the row of the 31st has a charge; the charge of June 1 remains for the late
    // row, 12 days after its day.
    var late = Books(through: "2024-06-30")
    late.apple("05-31", 1, 9990)
    late.apple("06-01", 1, 9990)
    late.ours("05-20", 9990, lateUntil: "06-20")
    late.ours("05-31", 9990)
    #expect(
      late.sums(shuffled: true) == [
        "2024-05 pro USA USD equal 1:1 9990:9990",
        "2024-05 pro USA USD recovered_late 0:1 0:9990",
        "2024-06 pro USA USD recovered_late 1:0 9990:0",
      ])
    // A row of the 30th may be the charge of the 31st: then both rows are matched within a day.
    var near = Books(through: "2024-06-30")
    near.apple("05-31", 1, 9990)
    near.apple("06-01", 1, 9990)
    near.ours("05-30", 9990, lateUntil: "06-20")
    near.ours("05-31", 9990)
    #expect(
      near.sums(shuffled: true) == [
        "2024-05 pro USA USD equal 1:1 9990:9990",
        "2024-05 pro USA USD day_boundary 0:1 0:9990",
        "2024-06 pro USA USD day_boundary 1:0 9990:0",
      ])
    // A missing report beside the day of the charge changes nothing.
    var books = Books()
    books.gaps = [Books.day("05-11")]
    books.apple("05-10", 1, 9990)
    books.ours("05-09", 9990, lateUntil: "05-20")
    books.ours("05-10", 9990)
    #expect(
      books.result().rows.map { "\($0.purchaseKey) \($0.cause.rawValue)" } == [
        "1 no_report", "2 equal",
      ])
  }

  @Test func `a charge after the first receipt with the row is of somebody else`() {
    // Nobody saw a grace period. The charge of the 14th may be late, unless a receipt of the 12th
    // already shows the row.
    var books = Books()
    books.apple("05-14", 1, 9990)
    books.ours("05-10", 9990, chargedBy: "05-14")
    #expect(books.sums() == ["2024-05 pro USA USD recovered_late 1:1 9990:9990"])
    var seen = Books()
    seen.apple("05-14", 1, 9990)
    seen.ours("05-10", 9990, chargedBy: "05-12")
    #expect(
      seen.sums() == [
        "2024-05 pro USA USD receipt_missing 1:0 9990:0",
        "2024-05 pro USA USD unexplained 0:1 0:9990",
      ])
  }

  @Test func `a late payment with a choice leaves the other late payment its only charge`() {
    var books = Books()
    books.apple("05-14", 1, 9990)
    books.apple("05-20", 1, 9990)
    // The second row is nearer to the 14th, but the window of the first row ends on the 15th.
    books.ours("05-10", 9990, lateUntil: "05-15")
    books.ours("05-12", 9990, lateUntil: "05-30")
    #expect(
      books.sums(shuffled: true) == ["2024-05 pro USA USD recovered_late 2:2 19980:19980"])
  }

  @Test func `rows without a storefront are placed by knowledge, not by who comes first`() {
    var books = Books()
    books.apple("05-10", 1, 9990)
    books.apple("05-10", 1, 9990, in: "CAN")
    books.apple("05-12", 1, 9990, in: "CAN")
    // The first two rows fit both countries. The third row fits only Canada, and so does its chain.
    books.ours("05-10", 9990, in: nil)
    books.ours("05-10", 9990, in: nil, run: "a 1")
    books.ours("05-12", 9990, in: nil, run: "a 1")
    #expect(
      books.sums() == [
        "2024-05 pro USA USD equal 1:1 9990:9990", "2024-05 pro CAN USD equal 2:2 19980:19980",
      ]
        || books.sums() == [
          "2024-05 pro CAN USD equal 2:2 19980:19980", "2024-05 pro USA USD equal 1:1 9990:9990",
        ])
    let placed = books.result().rows.map { "\($0.purchaseKey) \($0.cell.storefront?.code ?? "-")" }
    #expect(placed == ["1 USA", "2 CAN", "3 CAN"])
  }

  @Test func `a placed row gives way to one that fits nowhere else`() {
    var books = Books()
    books.apple("05-10", 1, 9990, in: "USA")
    books.apple("05-11", 1, 9990, in: "CAN")
    // The row of the 11th can match both charges, the row of the 9th only the charge of the 10th.
    books.ours("05-11", 9990, in: nil)
    books.ours("05-09", 9990, in: nil)
    books.ours("05-12", nil, in: nil, nil)
    #expect(books.result().rows.filter { $0.cause == .equal }.map(\.purchaseKey) == [1, 2])
    // The amount of the third row is unknown, and no charge is left for it.
    #expect(books.result().rows.filter { $0.cause == .unknownAmount }.map(\.purchaseKey) == [3])
  }

  @Test func `a spell falls back row by row, and chooses by the charges that are left`() {
    var books = Books()
    // Both storefronts have charges on two days; a row of a known storefront takes one of the USA.
    books.apple("05-10", 1, 9990)
    books.apple("05-20", 1, 9990, in: "CAN")
    books.apple("05-10", 1, 9990, in: "CAN")
    books.ours("05-10", 9990)
    books.ours("05-10", 9990, in: nil, run: "a 1")
    books.ours("05-20", 9990, in: nil, run: "a 1")
    #expect(books.sums(shuffled: true).allSatisfy { $0.contains(" equal ") })
    // Without a charge in Canada on the 30th, the last row of the spell is placed in the USA.
    books.apple("05-30", 1, 9990)
    books.ours("05-30", 9990, in: nil, run: "a 1")
    let placed = books.result().rows.map { "\($0.purchaseKey) \($0.cell.storefront?.code ?? "-")" }
    #expect(placed == ["1 USA", "2 CAN", "3 CAN", "4 USA"])
  }

  @Test func `an inferred storefront yields to the only charge that is left`() {
    var books = Books()
    books.apple("05-10", 1, 9990, in: "DEU", "EUR")
    books.apple("05-10", 1, 9990, in: "AUT", "EUR")
    books.ours("05-10", 9990, in: "DEU", "EUR")
    books.ours("05-10", 9990, in: "DEU", "EUR", isInferred: true)
    // A row with the same storefront whose source is better stays.
    books.ours("05-11", 9990, in: "DEU", "EUR")
    #expect(
      books.result().rows.map { "\($0.purchaseKey) \($0.cell.storefront?.code ?? "-") \($0.cause)" }
        == ["1 DEU equal", "2 AUT equal", "3 DEU unexplained"])
    // Two storefronts have a charge left: nothing is known.
    var two = Books()
    for storefront in ["AUT", "FRA"] { two.apple("05-10", 1, 9990, in: storefront, "EUR") }
    two.ours("05-10", 9990, in: "DEU", "EUR", isInferred: true)
    #expect(two.result().rows.map(\.cause) == [.unexplained])
  }

  @Test func `rows whose storefront is known come before those whose is not`() {
    var books = Books()
    books.ours("05-10", 9990, in: nil)
    books.ours("05-11", 9990)
    books.apple("05-10", 1, 9990)
    #expect(
      books.result().rows.map { "\($0.purchaseKey) \($0.cause.rawValue)" } == [
        "1 unexplained", "2 equal",
      ])
  }

  @Test func `a refund of a placed row is compared where the row is`() {
    var books = Books()
    books.apple("05-10", 1, 9990)
    books.apple("05-20", -1, 9990, bought: "05-10")
    books.ours("05-10", 9990, in: nil, refunded: "05-20")
    #expect(books.result().rows.map(\.cause) == [.equal, .equal])
  }
}
