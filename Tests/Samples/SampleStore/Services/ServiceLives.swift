internal import CivilTime

/// Simulates the customers of a ``ServiceStore``.
///
/// New subscribers pay the list price. After the rise of `pro.monthly` subscribers keep their
/// price, but the service books the new list price for their renewals. After the rise of
/// `lite.monthly` subscribers pay the new price, and for some the service goes on booking the old
/// one.
struct ServiceLives {
  private let start: Int64
  private let end: Int64
  private let rise: Int64
  private var random: SampleRandom
  private var nextTransaction: Int64 = 700_000_000_000
  private(set) var sales: [ServiceSale] = []

  /// Simulates all customers.
  init(_ options: SampleOptions) {
    start = options.firstDay.start.milliseconds
    end = start + Int64(options.days) * BillingClock.day
    rise = start + Int64(options.days / 2) * BillingClock.day
    random = SampleRandom(seed: options.seed, stream: 61)
    for customer in 0..<options.customers { live(customer) }
  }

  /// The day on which prices rise.
  var riseDay: CivilDay { Instant(milliseconds: rise).day }

  private mutating func live(_ customer: Int) {
    let country = ServiceCountry.allCases[random.weighted([5, 3, 2])]
    let buyer: ServiceBuyer =
      switch random.weighted([80, 9, 2, 5, 4]) {
      case 0: .appStore
      case 1: .playStore
      case 2: .promotional
      case 3: .sandbox
      default: .family
      }
    let product = [ServiceProduct.monthly, .yearly, .lite, .coins][random.weighted([5, 2, 2, 1])]
    let day = random.below(Int((end - start) / BillingClock.day) - 1)
    let time =
      start + Int64(day) * BillingClock.day + Int64(random.below(86_400)) * 1000
    if product == .coins {
      var sale = firstSale(customer, .coins, .oneTime, time, country, buyer)
      if random.happens(perMille: 30) { refund(&sale) }
      return sales.append(sale)
    }
    subscribe(customer, product, time, country, buyer)
  }

  private mutating func firstSale(
    _ customer: Int, _ product: ServiceProduct, _ kind: ServiceSale.Kind, _ time: Int64,
    _ country: ServiceCountry, _ buyer: ServiceBuyer
  ) -> ServiceSale {
    nextTransaction += Int64(random.within(3...40))
    let list = product.price(country, isLater: time >= rise)
    let paid =
      switch kind {
      case .trial: Int64(0)
      case .intro: product.introPrice(country)
      case .regular, .oneTime: list
      }
    let days = kind == .trial ? 7 : product.days
    return ServiceSale(
      customer: customer, transaction: nextTransaction, original: nextTransaction, number: 1,
      product: product, kind: kind, startsAt: time,
      endsAt: days.map { time + Int64($0) * BillingClock.day }, country: country, paid: paid,
      stated: paid, statedCurrency: country.currency, buyer: buyer)
  }

  private mutating func subscribe(
    _ customer: Int, _ product: ServiceProduct, _ time: Int64, _ country: ServiceCountry,
    _ buyer: ServiceBuyer
  ) {
    let kind: ServiceSale.Kind =
      product == .monthly ? [.regular, .trial, .intro][random.weighted([6, 3, 1])] : .regular
    var sale = firstSale(customer, product, kind, time, country, buyer)
    let isStale = random.happens(perMille: 250)
    let base = product.price(country, isLater: time >= rise)
    while true {
      let ends = sale.endsAt ?? end
      let isRefunded = !sale.isFree && random.happens(perMille: 25)
      if isRefunded { refund(&sale) }
      let upgrades =
        !isRefunded && sale.product == .monthly && sale.kind == .regular
        && random.happens(perMille: 25)
      if upgrades {
        let time = sale.startsAt + Int64(random.within(3...25)) * BillingClock.day
        guard time < end else { return sales.append(sale) }
        sale.upgradedAt = time
        sales.append(sale)
        sale = renewal(
          of: sale, .yearly, at: time,
          paid: ServiceProduct.yearly.price(country, isLater: time >= rise))
        sale.stated = sale.paid
        continue
      }
      let stops = isRefunded || random.happens(perMille: sale.isFree ? 400 : 120)
      if stops, !isRefunded {
        let off = sale.startsAt + (ends - sale.startsAt) / 2
        if off < end { sale.renewalOffAt = off }
      }
      sales.append(sale)
      guard !stops, ends < end else { return }
      let isLater = ends >= rise
      let list = sale.product.price(country, isLater: isLater)
      let paid = sale.product.keepsPrice ? base : list
      var next = renewal(of: sale, sale.product, at: ends, paid: paid)
      next.stated = list
      if list != paid { next.cause = "kept_price" }
      if sale.product == .lite, isLater, time < rise, isStale {
        next.stated = sale.product.price(country, isLater: false)
        next.cause = "stale_price"
      }
      if country == .germany, random.happens(perMille: 20) {
        next.stated = next.stated * 108 / 100 / 10 * 10
        next.statedCurrency = "USD"
        next.cause = "currency"
      }
      sale = next
    }
  }

  private mutating func renewal(
    of sale: ServiceSale, _ product: ServiceProduct, at time: Int64, paid: Int64
  ) -> ServiceSale {
    nextTransaction += Int64(random.within(3...40))
    var next = sale
    next.transaction = nextTransaction
    next.number += 1
    next.product = product
    next.kind = .regular
    next.startsAt = time
    next.endsAt = time + Int64(product.days ?? 30) * BillingClock.day
    next.paid = paid
    next.statedCurrency = sale.country.currency
    (next.refundedAt, next.renewalOffAt, next.upgradedAt) = (nil, nil, nil)
    next.cause = "equal"
    return next
  }

  private mutating func refund(_ sale: inout ServiceSale) {
    let at = sale.startsAt + Int64(random.within(1...20)) * BillingClock.day + 3_600_000
    guard at < end else { return }
    sale.refundedAt = at
    // The refund is the larger part of the difference, except in another currency.
    if sale.cause != "currency" { sale.cause = "refund_in_price" }
  }
}
