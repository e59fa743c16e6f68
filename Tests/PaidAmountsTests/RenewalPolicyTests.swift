internal import Purchases
@testable import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

struct RenewalPolicyTests {
  @Test(arguments: renewalCases + walkCases, RenewalPolicy.allCases)
  func `a renewal follows the policy`(_ given: RenewalCase, policy: RenewalPolicy) throws {
    let story = try Story(policy: policy, given.build)
    let expected =
      switch policy {
      case .history: given.history
      case .asPurchased: given.asPurchased
      case .asCurrent: given.asCurrent
      }
    #expect(try story.line(given.row) == expected)
  }

  @Test func `an open rise names product, currency, day, prices and rows`() throws {
    let story = try Story { store in
      store.months("a", customer: "ann", storefront: "USA", from: months)
      store.months("b", customer: "ben", storefront: "USA", from: months)
      rise(&store)
    }
    // Both chains were bought at 9.99. April and May are after the rise of 15 March, so two rows of
    // each chain are unresolved.
    #expect(
      story.result.questions == [
        PriceChangeQuestion(
          productID: story.built.product("pro"), currency: currency("USD"),
          from: day("2022-03-15"), oldPrice: milliunits("9.99"), newPrice: milliunits("12.99"),
          rows: 4)
      ])
    let amount = try story.amount("a4")
    #expect(amount.basis == story.row("a3").map(RowPosition.init))
    #expect(amount.low == milliunits("9.99"))
    #expect(amount.high == milliunits("12.99"))
  }

  @Test func `the catalogue line that a question asks for settles it`() throws {
    let story = try Story { store in
      store.product("pro", changes: [("USD", "2022-03-15", .moved)])
      store.months("a", customer: "ann", storefront: "USA", from: months)
      rise(&store)
    }
    #expect(story.result.questions.isEmpty)
    #expect(try story.line("a5") == "12.99 USD inferred previous_renewal")
  }

  @Test func `a price taken from the history names the level's first report`() throws {
    let story = try Story { store in
      store.months("a", customer: "ann", storefront: "USA", from: months)
      store.votes("9.99", by: ["x", "y", "z"], at: "2022-01-01", storefront: "USA")
      store.votes("7.99", by: ["u", "v", "w"], at: "2022-03-15", storefront: "USA")
    }
    let amount = try story.amount("a4")
    #expect(try story.line("a4") == "7.99 USD inferred previous_renewal")
    #expect(amount.evidence == 4)
    #expect(story.result.voters(of: amount) == 3)
    #expect(amount.listPrice == milliunits("7.99"))
  }

  @Test func `an unresolved renewal prices nothing that follows it`() throws {
    // The price of April is unresolved. In May Ann buys again two days late, and reports the price;
    // June follows May.
    let story = try Story { store in
      store.months(
        "a", customer: "ann", storefront: "USA",
        from: months.dropLast() + ["2022-05-03", "2022-06-03"])
      rise(&store)
      store.report(
        at: "2022-05-03", customer: "ann", naming: "a5", storefront: "USA", price: "12.99")
    }
    #expect(try story.amount("a4").status == .unresolved)
    #expect(try story.line("a5") == "12.99 USD derived reported_with_purchase")
    #expect(try story.line("a6") == "12.99 USD derived previous_renewal")
    #expect(try story.amount("a6").basis == story.row("a5").map(RowPosition.init))
  }
}
