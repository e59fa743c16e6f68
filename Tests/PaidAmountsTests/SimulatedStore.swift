import CivilTime
import PurchaseModel
import TestSupport

/// A small store with a known truth: subscribers of one product, with one price rise.
///
/// All reports are true; only a percentage of the customers sends reports.
struct SimulatedStore {
  /// A row with the amount paid for it, and the report that its app would send.
  struct Row {
    var id: String
    var customer: String
    var day: Int  // of 2021, from 0
    var kind: Kind
    var paid: String
    var isReported: Bool

    enum Kind { case trial, intro, regular }
  }

  var rows: [Row] = []
  /// The first day of the new price.
  let riseDay: Int
  /// The effect of the rise on existing subscribers; `nil` if the catalogue does not give it.
  let rise: ExistingSubscribers?
  private let isListed: Bool

  init(seed: UInt64, reportShare: Int) {
    var random = SeededGenerator(seed: seed)
    riseDay = Int.random(in: 60...240, using: &random)
    let isMoved = Bool.random(using: &random)
    let isTold = Bool.random(using: &random)
    isListed = Bool.random(using: &random)
    rise = isTold ? (isMoved ? .moved : .preserved) : nil
    for customer in 0..<12 {
      var day = Int.random(in: 0..<200, using: &random)
      var first: Int?
      let start = Int.random(in: 0..<3, using: &random)
      for number in 0..<Int.random(in: 1...6, using: &random) {
        let kind: Row.Kind =
          number == 0 && start == 1 ? .trial : number < 2 && start == 2 ? .intro : .regular
        if kind == .regular, first == nil { first = day }
        let paid =
          switch kind {
          case .trial: "0"
          case .intro: "0.99"
          case .regular: day < riseDay || (!isMoved && first ?? day < riseDay) ? "9.99" : "12.99"
          }
        rows.append(
          Row(
            id: "c\(customer)n\(number)", customer: "c\(customer)", day: day, kind: kind,
            paid: paid, isReported: Int.random(in: 0..<100, using: &random) < reportShare))
        day += kind == .trial ? 7 : 30
      }
    }
  }

  /// The store with its exports and the apps' reports.
  ///
  /// A report has the price that StoreKit shows on its day. For a preserved price this is the
  /// preserved price.
  func builder(reporting isShown: (Row) -> Bool = \.isReported) -> StoreBuilder {
    var store = StoreBuilder()
    store.product(
      "pro", period: "P1M",
      changes: rise.map { [("USD", Self.date(riseDay), $0)] } ?? [],
      prices: isListed
        ? [("USD", "9.99", "2020-01-01"), ("USD", "12.99", Self.date(riseDay))] : [])
    for row in rows {
      let until = Self.date(row.day + (row.kind == .trial ? 7 : 30))
      store.record(
        at: "2022-06-01", customer: row.customer, storefront: "USA",
        latest: [
          StoreRow(
            row.id, of: row.customer, item: row.id, bought: Self.date(row.day), until: until,
            trial: row.kind == .trial, intro: row.kind == .intro)
        ])
    }
    for row in rows where isShown(row) {
      let price = row.kind == .regular ? row.paid : row.day < riseDay ? "9.99" : "12.99"
      store.report(
        at: Self.date(row.day), customer: row.customer, naming: row.id, storefront: "USA",
        price: price, offers: [StoreOffer(price: "0.99", count: 2)])
    }
    return store
  }

  /// The date of a day counted from 2021-01-01.
  static func date(_ number: Int) -> String {
    day("2021-01-01").advanced(by: Int64(number)).text
  }
}
