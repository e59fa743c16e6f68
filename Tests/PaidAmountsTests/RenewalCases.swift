import PurchaseModel
import Testing
import TestSupport

/// A scenario: a chain of months from January, and the amount of its last month under each of the
/// three policies.
struct RenewalCase: Sendable, CustomTestStringConvertible {
  var story: String
  var row: String
  var history: String
  var asPurchased: String
  var asCurrent: String
  var build: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

let months = ["2022-01-01", "2022-02-01", "2022-03-01", "2022-04-01", "2022-05-01"]

/// Adds a price rise: from 15 March new customers pay 12.99 instead of 9.99.
func rise(_ store: inout StoreBuilder) {
  store.votes("9.99", by: ["x", "y", "z"], at: "2022-01-01", storefront: "USA")
  store.votes("12.99", by: ["u", "v", "w"], at: "2022-03-15", storefront: "USA")
}

let renewalCases = [
  RenewalCase(
    story: "an unchanged price", row: "a5",
    history: "9.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "9.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
  },
  RenewalCase(
    story: "a cut is for everybody", row: "a5",
    history: "7.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "7.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("9.99", by: ["x", "y", "z"], at: "2022-01-01", storefront: "USA")
    store.votes("7.99", by: ["u", "v", "w"], at: "2022-03-15", storefront: "USA")
  },
  RenewalCase(
    story: "a rise that nothing explains stays open between old and new", row: "a4",
    history: "[9.99, 12.99] USD unresolved previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    rise(&store)
  },
  RenewalCase(
    story: "the row before the rise is booked at the newest price only by as_current", row: "a3",
    history: "9.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    rise(&store)
  },
  RenewalCase(
    story: "a change that moved subscribers", row: "a5",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.product("pro", changes: [("USD", "2022-03-15", .moved)])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    rise(&store)
  },
  RenewalCase(
    story: "a change that preserved their price", row: "a5",
    history: "9.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.product("pro", changes: [("USD", "2022-03-15", .preserved)])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    rise(&store)
  },
  RenewalCase(
    story: "a change without any price then is passed over; the next moves", row: "a4",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.product(
      "pro", changes: [("USD", "2022-03-10", .preserved), ("USD", "2022-03-15", .moved)])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    rise(&store)
  },
  RenewalCase(
    story: "the customer's consent seen between the rows", row: "a4",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.record(
      at: "2022-03-20", customer: "ann", storefront: "USA",
      renewals: [StoreRenewal(of: "a", product: "pro", consent: "1")])
    rise(&store)
  },
  RenewalCase(
    story: "a consent shown before the earlier row counts when it is shown again between",
    row: "a4",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    for day in ["2022-02-20", "2022-03-20"] {
      store.record(
        at: day, customer: "ann", storefront: "USA",
        renewals: [StoreRenewal(of: "a", product: "pro", consent: "1")])
    }
    rise(&store)
  },
  RenewalCase(
    story: "a customer who was only asked stays open", row: "a4",
    history: "[9.99, 12.99] USD unresolved previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.record(
      at: "2022-03-20", customer: "ann", storefront: "USA",
      renewals: [StoreRenewal(of: "a", product: "pro", increase: "0")])
    rise(&store)
  },
  RenewalCase(
    story: "consent is asked for weeks ahead: one shown before the earlier row counts too",
    row: "a4",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.record(
      at: "2022-02-20", customer: "ann", storefront: "USA",
      renewals: [StoreRenewal(of: "a", product: "pro", consent: "1")])
    rise(&store)
  },
  RenewalCase(
    story: "but not one shown before the own price came into force", row: "a4",
    history: "[9.99, 12.99] USD unresolved previous_renewal",
    asPurchased: "7.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    // January's consent explains the rise to 9.99 on 10 February, which applies to the row of
    // March.
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.record(
      at: "2022-01-20", customer: "ann", storefront: "USA",
      renewals: [StoreRenewal(of: "a", product: "pro", consent: "1")])
    store.votes("7.99", by: ["p", "q", "r"], at: "2022-01-01", storefront: "USA")
    store.votes("9.99", by: ["x", "y", "z"], at: "2022-02-10", storefront: "USA")
    store.votes("12.99", by: ["u", "v", "w"], at: "2022-03-15", storefront: "USA")
  },
  RenewalCase(
    story: "a price kept from long ago is kept while the history stands still", row: "a5",
    history: "9.99 USD derived previous_renewal",
    asPurchased: "9.99 USD derived previous_renewal",
    asCurrent: "12.99 USD derived previous_renewal"
  ) { store in
    // The price of March is known from its own report (9.99, preserved); the list price is 12.99
    // before and after.
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("12.99", by: ["u", "v"], at: "2022-01-15", storefront: "USA")
    store.report(
      at: "2022-03-01", customer: "ann", naming: "a3", storefront: "USA", price: "9.99")
  },
  RenewalCase(
    story: "auto-renew off and a gap of two weeks is a lapse: preservation begins anew", row: "a2",
    history: "12.99 USD inferred price_history",
    asPurchased: "12.99 USD inferred price_history",
    asCurrent: "12.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-03-16"])
    store.record(
      at: "2022-01-20", customer: "ann", storefront: "USA",
      renewals: [StoreRenewal(of: "a", product: "pro", renews: false)])
    rise(&store)
  },
  RenewalCase(
    story: "a gap of six weeks with auto-renew on is a late charge at the old price", row: "a2",
    history: "[9.99, 12.99] USD unresolved previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "12.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-03-16"])
    rise(&store)
  },
  RenewalCase(
    story: "another product's row sets no price", row: "a2",
    history: "19.99 USD inferred price_history",
    asPurchased: "19.99 USD inferred price_history",
    asCurrent: "19.99 USD inferred price_history"
  ) { store in
    store.record(
      at: "2022-06-01", customer: "ann", storefront: "USA",
      latest: [
        StoreRow(
          "a1", of: "a", item: "1", bought: "2022-01-01", until: "2022-02-01", trial: false,
          intro: false),
        StoreRow(
          "a2", of: "a", item: "2", product: "max", bought: "2022-02-01", until: "2022-03-01",
          trial: false, intro: false),
      ])
    store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
    store.votes("19.99", by: ["x", "y"], at: "2022-01-01", product: "max", storefront: "USA")
  },
  RenewalCase(
    story: "where nobody reports the new price the list tells it, and moved subscribers pay it",
    row: "a5",
    history: "12.99 USD configured previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "9.99 USD inferred previous_renewal"
  ) { store in
    store.product(
      "pro", changes: [("USD", "2022-03-15", .moved)],
      prices: [("USD", "9.99", "2020-01-01"), ("USD", "12.99", "2022-03-15")])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
  },
  RenewalCase(
    story: "moved to a price that nobody knows: a list price older than the change is none",
    row: "a5",
    history: "[0.00, ?] USD unresolved previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "9.99 USD inferred previous_renewal"
  ) { store in
    store.product(
      "pro", changes: [("USD", "2022-03-15", .moved)], prices: [("USD", "19.99", "2020-01-01")])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
  },
  RenewalCase(
    story: "preserved from a price that nobody knows, the own one is kept", row: "a5",
    history: "9.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "9.99 USD inferred previous_renewal"
  ) { store in
    store.product(
      "pro", changes: [("USD", "2022-03-15", .preserved)],
      prices: [("USD", "19.99", "2020-01-01")])
    store.months("a", customer: "ann", storefront: "USA", from: months)
    store.votes("9.99", by: ["x", "y"], at: "2022-01-01", storefront: "USA")
  },
]

/// Price changes between two rows a year apart: each change is applied in turn.
let walkCases = [
  RenewalCase(
    story: "moved to 12.99, spared the 14.99 that follows", row: "a2",
    history: "12.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "14.99 USD inferred previous_renewal"
  ) { twoRises(&$0, .moved, .preserved) },
  RenewalCase(
    story: "spared 12.99, moved to 14.99", row: "a2",
    history: "14.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "14.99 USD inferred previous_renewal"
  ) { twoRises(&$0, .preserved, .moved) },
  RenewalCase(
    story: "spared both", row: "a2",
    history: "9.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "14.99 USD inferred previous_renewal"
  ) { twoRises(&$0, .preserved, .preserved) },
  RenewalCase(
    story: "a listed fall below the own price is for everybody, though a rise after it spares them",
    row: "a2",
    history: "7.99 USD inferred previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "14.99 USD inferred previous_renewal"
  ) { twoRises(&$0, .preserved, .preserved, between: "7.99") },
  RenewalCase(
    story: "moved to 12.99; that it became 14.99 later no line explains", row: "a2",
    history: "[12.99, 14.99] USD unresolved previous_renewal",
    asPurchased: "9.99 USD inferred previous_renewal",
    asCurrent: "14.99 USD inferred previous_renewal"
  ) { twoRises(&$0, .moved, nil) },
]

/// Adds rises from 9.99 to 12.99 (or another price) on 1 April and to 14.99 on 1 August, and a
/// chain with a row in January and a row a year later.
private func twoRises(
  _ store: inout StoreBuilder, _ first: ExistingSubscribers, _ second: ExistingSubscribers?,
  between price: String = "12.99"
) {
  store.product(
    "pro",
    changes: [("USD", "2022-04-01", first)] + (second.map { [("USD", "2022-08-01", $0)] } ?? []))
  store.record(
    at: "2023-06-01", customer: "ann", storefront: "USA",
    latest: [("a1", "2022-01-01", "2023-01-01"), ("a2", "2023-01-01", "2024-01-01")].map {
      StoreRow($0.0, of: "a", item: $0.0, bought: $0.1, until: $0.2, trial: false, intro: false)
    })
  store.votes("9.99", by: ["x", "y", "z"], at: "2022-01-01", storefront: "USA")
  store.votes(price, by: ["u", "v", "w"], at: "2022-04-02", storefront: "USA")
  store.votes("14.99", by: ["p", "q", "r"], at: "2022-08-02", storefront: "USA")
}
