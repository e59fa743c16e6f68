import Amounts
import PaidAmounts
import PriceLearning
import PurchaseModel
import Testing
import TestSupport

/// A scenario with the expected verdicts on all reports, in the order in which they are reported.
struct VerdictCase: Sendable, CustomTestStringConvertible {
  var story: String
  var expected: [Verdict]
  var references: [String?] = []
  var build: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct PlausibilityTests {
  @Test(arguments: referenceCases + ratioCases + corroboratedCases + currencyCases)
  func `a report is judged by what others report around its time`(_ given: VerdictCase) throws {
    let story = try Story(given.build)
    #expect(story.verdicts == given.expected)
    if !given.references.isEmpty {
      let references = story.reportVerdicts.map { $0.reference?.text(decimals: 2) }
      #expect(references == given.references)
    }
  }

  @Test func `a report of a sandbox purchase is not used at all`() throws {
    let story = try Story { store in
      store.record(
        at: "2022-01-01", sandbox: true,
        latest: [StoreRow("s", item: "i", bought: "2022-01-01", until: "2022-02-01")])
      store.report(at: "2022-01-01", customer: "ann", naming: "s", price: "9.99")
      store.report(at: "2022-01-01", customer: "bob", price: "9.99")
    }
    #expect(story.reports.map(\.report.evidenceID) == [2])
    #expect(story.verdicts == [.noReference])
  }

  @Test func `a report of a family-shared purchase is used and keeps its time`() throws {
    let story = try Story { store in
      store.record(
        at: "2022-01-01",
        latest: [
          StoreRow(
            "f", item: "i", bought: "2022-01-01", until: "2022-02-01", ownership: "FAMILY_SHARED")
        ])
      store.report(at: "2022-06-01", customer: "ann", naming: "f", price: "9.99")
    }
    #expect(story.reports.map(\.time) == [instant("2022-01-01")])
    #expect(story.reports.map { $0.named?.isExcluded } == [true])
    #expect(story.amounts.isEmpty)
  }

  @Test func `without a customer the chain named is the voter`() throws {
    // Both reports have transaction ids of one chain, so neither can be compared with another
    // voter.
    let story = try Story { store in
      store.months("a", from: ["2022-01-01", "2022-02-01"])
      store.report(at: "2022-01-01", naming: "a1", price: "9.99")
      store.report(at: "2022-02-01", naming: "a2", price: "99.99")
      store.report(at: "2022-02-01", product: "plus", price: "1")
      store.report(at: "2022-02-01", product: "plus", price: "2")
    }
    #expect(story.verdicts == [.noReference, .noReference, .believed, .believed])
  }
}

private let referenceCases = [
  VerdictCase(
    story: "alone a report is believed for want of a reference", expected: [.noReference],
    references: [nil]
  ) { $0.report(at: "2022-01-01", customer: "ann", price: "9.99") },
  VerdictCase(
    story: "own votes are no reference, however many", expected: [.noReference, .noReference]
  ) { store in
    store.votes("9.99", by: ["ann"], at: "2022-01-01")
    store.votes("99.99", by: ["ann"], at: "2022-01-02")
  },
  VerdictCase(
    story: "of equally common prices the higher is the reference, but one voter's refuses nothing",
    expected: [.believed, .believed, .noReference], references: ["4.00", "9.99", nil]
  ) { store in
    // For ann, bob's 4.00 and cid's 3.00 have one voter each, so the higher is the reference: 9.99
    // is below 3 × 4.00, but above 3 × 3.00.
    store.votes("9.99", by: ["ann"], at: "2022-01-01")
    store.votes("4.00", by: ["bob"], at: "2022-01-01")
    store.votes("3.00", by: ["cid"], at: "2022-01-01")
  },
  VerdictCase(
    story: "90 days away to the second is near, so the far majority is not asked",
    expected: [.believed, .outlier, .believed, .believed],
    references: ["9.99", "100.00", "100.00", "100.00"]
  ) { store in
    // 2022-01-01 and 90 days is 2022-04-01; cid and dan are a day further from ann, but near bob.
    // For cid bob's 9.99 and dan's 100 tie, and the higher price is the reference.
    store.votes("9.99", by: ["ann"], at: "2022-01-01")
    store.votes("9.99", by: ["bob"], at: "2022-04-01")
    store.votes("100.00", by: ["cid", "dan"], at: "2022-04-02")
  },
  VerdictCase(
    story: "with nobody within 90 days the whole stretch is asked",
    expected: [.believed, .believed, .believed], references: ["9.99", "9.99", "9.99"]
  ) { store in
    store.votes("9.99", by: ["ann"], at: "2022-01-01")
    store.votes("9.99", by: ["bob", "cid"], at: "2023-01-01")
  },
  VerdictCase(
    story: "with nobody in the stretch the list price is asked: 20 is within 3 × 9.99, 31 is not",
    expected: [.believed, .outlier], references: ["9.99", "9.99"]
  ) { store in
    store.product(
      "pro", prices: [("USD", "9.99", "2022-01-01"), ("USD", "9.99", "2022-06-01")])
    store.votes("20.00", by: ["ann"], at: "2022-02-01")
    store.votes("31.00", by: ["bob"], at: "2022-07-01")
  },
  VerdictCase(
    story: "a price change parts the witnesses: 99.99 after it is compared with its own stretch",
    expected: [.believed, .believed, .believed, .believed]
  ) { store in
    store.product("pro", changes: [("USD", "2022-02-01", .moved)])
    store.votes("9.99", by: ["ann", "bob"], at: "2022-01-31T23:59:59Z")
    store.votes("99.99", by: ["cid", "dan"], at: "2022-02-01")
  },
]

private let ratioCases = [
  ("3.33", Verdict.believed, "three times 3.33 is the reference of 9.99 to the milliunit"),
  ("3.32", .outlier, "a cent less is not"),
  ("29.97", .believed, "29.97 is three times 9.99"),
  ("29.98", .outlier, "a cent more is not"),
  ("999.00", .unitError, "a hundred times: cents for units"),
  ("9990.00", .unitError, "a thousand times: thousandths for units"),
  ("0.0999", nil, "not a whole number of thousandths"),
  ("0.10", .unitError, "a hundredth: 0.0999 is 0.10 within 5 %"),
  ("0.01", .unitError, "a thousandth: 0.00999 is 0.01 within 5 %"),
  ("1048.95", .unitError, "5 % above a hundred times: 999 × 1.05 = 1048.95"),
  ("1048.96", .outlier, "a cent more is another error"),
  ("949.05", .unitError, "5 % below: 999 × 0.95 = 949.05"),
  ("949.04", .outlier, "a cent less is another error"),
  ("0", .outlier, "nothing is no unit"),
].compactMap { (price, verdict, story) -> VerdictCase? in
  guard let verdict else { return nil }
  return VerdictCase(story: story, expected: [verdict, .believed, .believed, .believed]) { store in
    store.votes(price, by: ["eve"], at: "2022-01-01")
    store.votes("9.99", by: ["ann", "bob", "cid"], at: "2022-01-01")
  }
}

private let corroboratedCases = [
  VerdictCase(
    story: "four report a third of a quarter's price, and are wrong",
    expected: Array(repeating: .outlier, count: 4) + Array(repeating: .believed, count: 6)
  ) { store in
    // 31.99 ÷ 3 = 10.66. Four voters report it within 30 days and none the reference, which is
    // enough for any other price.
    store.product("quarter", period: "P3M")
    store.votes("10.66", by: ["f", "g", "h", "i"], at: "2022-02-10", product: "quarter")
    store.votes("31.99", by: ["a", "b", "c", "d", "e"], at: "2022-01-01", product: "quarter")
    // 12.00 is not the price of a month.
    store.votes("12.00", by: ["k"], at: "2022-02-10", product: "quarter")
  },
  VerdictCase(
    story: "four against three are the reference, and three vouch for nothing",
    expected: [.outlier, .outlier, .outlier, .believed, .believed, .believed, .believed]
  ) { store in
    // For each of the four voters, three others report 99.99 and three report 9.99: the higher
    // price is the reference. For each of the three voters, the reference is 99.99 too, and three
    // voters are too few to confirm 9.99.
    store.votes("9.99", by: ["ann", "bob", "cid"], at: "2022-01-01")
    store.votes("99.99", by: ["dan", "eve", "fay", "gil"], at: "2022-01-01")
  },
  VerdictCase(
    story: "a rise by ten is believed once four saw it and the old price is 31 days away",
    expected: Array(repeating: .believed, count: 9)
  ) { store in
    // Five voters at 9.99 are the reference for 90 days; around 2022-02-01 (31 days later) four
    // report 99.99 and none the reference.
    store.votes("9.99", by: ["a", "b", "c", "d", "e"], at: "2022-01-01")
    store.votes("99.99", by: ["f", "g", "h", "i"], at: "2022-02-01")
  },
  VerdictCase(
    story: "three are not enough",
    expected: Array(repeating: .believed, count: 5) + Array(repeating: .outlier, count: 3)
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d", "e"], at: "2022-01-01")
    store.votes("99.99", by: ["f", "g", "h"], at: "2022-02-01")
  },
  VerdictCase(
    story: "nor are four, with five at the reference 30 days away",
    expected: Array(repeating: .believed, count: 5) + Array(repeating: .outlier, count: 4)
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d", "e"], at: "2022-01-01")
    store.votes("99.99", by: ["f", "g", "h", "i"], at: "2022-01-31")
  },
  VerdictCase(
    story: "nor are four beside four who report another far price",
    expected: Array(repeating: .believed, count: 6) + Array(repeating: .outlier, count: 8)
  ) { store in
    // 9.99 with six voters is the reference for all; 31 days later neither of the distant prices
    // has a majority.
    store.votes("9.99", by: ["a", "b", "c", "d", "e", "f"], at: "2022-01-01")
    store.votes("99.99", by: ["g", "h", "i", "k"], at: "2022-02-01")
    store.votes("49.99", by: ["l", "m", "n", "o"], at: "2022-02-01")
  },
  VerdictCase(
    story: "five beside them are",
    expected: Array(repeating: .believed, count: 11) + Array(repeating: .outlier, count: 4)
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d", "e", "f"], at: "2022-01-01")
    store.votes("99.99", by: ["g", "h", "i", "k", "p"], at: "2022-02-01")
    store.votes("49.99", by: ["l", "m", "n", "o"], at: "2022-02-01")
  },
  VerdictCase(
    story: "one voter four times is one voter",
    expected: [.believed, .believed, .believed, .outlier, .outlier, .outlier, .outlier]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01")
    store.votes("99.99", by: ["eve"], at: "2022-01-01")
    store.votes("99.99", by: ["eve"], at: "2022-01-02")
    store.votes("99.99", by: ["eve"], at: "2022-01-03")
    store.votes("99.99", by: ["eve"], at: "2022-01-04")
  },
]

private let currencyCases = [
  VerdictCase(
    story: "three others in the storefront 60 days before, none in the currency: a mismatch",
    expected: [.believed, .believed, .believed, .currencyMismatch]
  ) { store in
    // 2022-01-01 and 60 days is 2022-03-02.
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01", storefront: "USA")
    store.report(
      at: "2022-03-02", customer: "eve", storefront: "USA", currency: "EUR", price: "9.99")
  },
  VerdictCase(
    story: "a second later nobody speaks",
    expected: [.believed, .believed, .believed, .noReference]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01", storefront: "USA")
    store.report(
      at: "2022-03-02T00:00:01Z", customer: "eve", storefront: "USA", currency: "EUR",
      price: "9.99")
  },
  VerdictCase(
    story: "two others are not enough",
    expected: [.believed, .believed, .noReference]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01", storefront: "USA")
    store.report(
      at: "2022-01-01", customer: "eve", storefront: "USA", currency: "EUR", price: "9.99")
  },
  VerdictCase(
    story: "one other in the currency against three is none too few: 1 < 3; 2 against 2 is a tie",
    expected: [.believed, .believed, .believed, .currencyMismatch, .currencyMismatch]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01", storefront: "KAZ")
    store.votes("4500", by: ["d", "e"], at: "2022-01-01", storefront: "KAZ", currency: "KZT")
  },
  VerdictCase(
    story: "the first reports of a storefront's new currency agree with those after them",
    expected: Array(repeating: .believed, count: 8)
  ) { store in
    // For each report in tenge, the other reports from its moment on are in tenge. For each report
    // in dollars, the other reports up to its moment are in dollars.
    store.votes("9.99", by: ["a", "b", "c", "d"], at: "2022-01-01", storefront: "KAZ")
    store.votes(
      "4500", by: ["e", "f", "g", "h"], at: "2022-02-01", storefront: "KAZ", currency: "KZT")
  },
  VerdictCase(
    story: "voters of another product of the storefront count",
    expected: [.believed, .believed, .believed, .currencyMismatch]
  ) { store in
    store.votes("1", by: ["a", "b", "c"], at: "2022-01-01", product: "plus", storefront: "USA")
    store.report(
      at: "2022-01-01", customer: "eve", storefront: "USA", currency: "EUR", price: "9.99")
  },
  VerdictCase(
    story: "a report with a currency that its storefront does not have is nobody's reference",
    expected: [.believed, .believed, .believed, .currencyMismatch, .noReference],
    references: ["9.99", "9.99", "9.99", nil, nil]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01", storefront: "USA")
    store.report(
      at: "2022-01-01", customer: "eve", storefront: "USA", currency: "EUR", price: "9.99")
    store.report(at: "2022-01-01", customer: "fay", currency: "EUR", price: "100")
  },
]
