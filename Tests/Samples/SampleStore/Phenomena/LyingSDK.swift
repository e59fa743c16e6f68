internal import PurchaseModel

/// A quarter of the phones report through an SDK that always makes one error.
///
/// ``fault`` is one of five errors of real SDKs:
/// - the regular price instead of the introductory price,
/// - prices in US dollars with the storefront's currency code,
/// - prices as 32-bit floats,
/// - the price of one month for a yearly or quarterly plan,
/// - the charge for the whole quantity as the price of one unit.
///
/// The evidence is the reports of the other three quarters, which use another SDK.
struct LyingSDK: Phenomenon {
  /// The error of an SDK.
  enum Fault {
    case regularAsIntroductory, dollars, floats, months, quantities
  }

  let fault: Fault
  /// The number of phones per thousand that have the SDK.
  var share = 250

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {}

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for index in account.prices.indices { apply(to: &account.prices[index], of: account, world) }
  }

  private func apply(to report: inout AccountReport, of account: Account, _ world: World) {
    switch fault {
    case .regularAsIntroductory:
      guard report.displayed.introductory?.offer.mode != .freeTrial else { return }
      report.displayed.introductory?.price = report.displayed.price
    case .dollars:
      let displayed = world.displayed(report.product, 0, at: report.shownAt)  // the United States
      report.displayed.price = displayed.price
      report.displayed.introductory = displayed.introductory
      report.displayed.discounts = displayed.discounts
    case .floats: report.isFloat = true
    case .months:
      let months: [String: Int64] = ["P1Y": 12, "P3M": 3]
      guard let count = months[world.products[report.product].periodText] else { return }
      report.displayed.price = report.displayed.price / count / 10 * 10
    case .quantities:
      guard report.purchase >= 0 else { return }
      report.displayed.price *= account.purchases[report.purchase].quantity
    }
  }
}
