internal import Diagnostics
@testable internal import Pipeline
internal import PurchaseModel
internal import Testing

/// The section `proceeds` of the catalogue: Apple's commission and taxes.
struct ProceedsReadingTests {
  private static let noTax = "taxes: [{from: 2008-07-10, percent: 0, included: false}]"

  private func read(_ text: String) throws(RunFailure) -> ProceedsTerms? {
    try CatalogueText.read(path: "c.yaml", text: text).proceeds
  }

  private func refusal(_ text: String) -> String? {
    do throws(RunFailure) {
      _ = try read(text)
      return nil
    } catch {
      return error.status == .badConfiguration ? error.message : nil
    }
  }

  @Test(arguments: [
    ("0", 0), ("7", 700), ("7.5", 750), ("8.10", 810), ("99.99", 9999), ("\"20\"", 2000),
  ])
  func `a percentage is read to the hundredth`(_ text: String, _ basisPoints: Int32) throws {
    let terms = try #require(
      try read("proceeds: {taxes: [{from: 2021-01-01, percent: \(text), included: true}]}"))
    #expect(terms.taxes.map(\.rate) == [BasisPoints(basisPoints)])
  }

  @Test func `a commission without a reduced one keeps as much of everything`() throws {
    let terms = try #require(
      try read(
        "proceeds: {commission: [{storefront: DE, from: 2024-03-07, percent: 17}], \(Self.noTax)}"))
    let commission = try #require(terms.commissions.first)
    #expect(terms.commissions.count == 1)
    #expect(commission.storefront == Storefront("DEU"))
    #expect(commission.standard == BasisPoints(1700))
    #expect(commission.reduced == BasisPoints(1700))
  }

  @Test func `without a commission Apple's published terms hold`() throws {
    let terms = try #require(try read("proceeds: {\(Self.noTax)}"))
    #expect(terms.commissions == ProceedsTerms.standardCommissions)
  }

  @Test(arguments: [
    (
      "commission: [{from: 2020-01-01, percent: 0.30}], \(noTax)",
      "a share such as 0.30 is not a percentage, found \"0.30\""
    ),
    (
      "commission: [{from: 2020-01-01, percent: 30, reduced_percent: .15}], \(noTax)",
      "a share such as 0.30 is not a percentage, found \".15\""
    ),
    ("commission: [{from: 2020-01-01, percent: 100}], \(noTax)", "found \"100\""),
    ("commission: [{from: 2020-01-01, percent: 12.345}], \(noTax)", "found \"12.345\""),
    ("commission: [{from: 2020-01-01, percent: -3}], \(noTax)", "found \"-3\""),
    ("commission: [{from: 2020-01-01, percent: 3, tax: 1}], \(noTax)", "unknown key \"tax\""),
    (
      """
      commission: [{storefront: DE, from: 2020-01-01, percent: 30}, \
      {storefront: DEU, from: 2020-01-01, percent: 15}], \(noTax)
      """, "the only entry for its storefront and day, found \"DEU 2020-01-01\""
    ),
    (
      "small_business: [{from: 2021-05-01, through: 2021-04-30}], \(noTax)",
      "the day of the key from, or a later day, found \"2021-04-30\""
    ),
    ("small_business: []", "write [{from: 2008-07-10, percent: 0, included: false}] for none"),
    ("taxes: [{from: 2020-01-01, percent: 19, included: perhaps}]", "found \"perhaps\""),
    ("taxes: [{storefront: Atlantis, from: 2020-01-01, percent: 19, included: true}]", "Atlantis"),
  ])
  func `wrong terms are refused with what was expected`(_ terms: String, _ ending: String) throws {
    let message = try #require(refusal("proceeds: {\(terms)}"))
    #expect(message.hasPrefix("c.yaml:1: "))
    #expect(message.contains(ending))
  }
}
