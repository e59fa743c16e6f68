internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import TestSupport

/// A scenario's exports as the input of the rules, without files.
struct StoryStore {
  var store: BuiltStore
  /// The name in the scenario of each report, indexed by the report's position in the set.
  var reportNames: [String?] = []

  /// Loads the timeline; equal reports are merged, as in every import, and get the alphabetically
  /// first of their names.
  init(_ story: Story) {
    var builder = StoreBuilder()
    var seen: [String: Int] = [:]
    for step in story.timeline {
      switch step {
      case .receipt(let receipt):
        builder.record(
          at: receipt.snapshot, customer: receipt.customer, storefront: receipt.storefront,
          bundle: receipt.bundle, sandbox: receipt.isSandbox,
          namesEnvironment: receipt.namesEnvironment, inApp: receipt.inApp, latest: receipt.latest,
          renewals: receipt.renewals, file: receipt.file)
        for row in receipt.latest {
          guard let terms = row.signed, terms.isDecoded, let price = terms.price else { continue }
          reportNames.append(row.id)
          builder.report(
            at: receipt.snapshot, customer: receipt.customer, naming: row.id, product: row.product,
            storefront: terms.storefront, currency: price.currency, price: price.digits,
            meaning: .charged, sender: .apple, isTrusted: receipt.isTrusted, file: receipt.file)
        }
      case .report(let report):
        if let position = seen[report.content] {
          reportNames[position] = [reportNames[position], report.name].compactMap(\.self).min()
          continue
        }
        seen[report.content] = reportNames.count
        reportNames.append(report.name)
        builder.report(
          at: report.time, customer: report.customer, naming: report.transaction,
          product: report.product, bundle: report.bundle, storefront: report.storefront,
          currency: report.currency,
          price: report.price, meaning: report.sender == nil ? .list : .charged,
          sender: report.sender ?? .app, isTrusted: report.isTrusted, offers: report.offers,
          applied: report.applied, file: report.file)
      }
    }
    for product in story.catalogue {
      builder.product(
        product.id, bundle: product.bundle, kind: product.kind, group: product.group,
        period: product.period,
        lists: product.lists, offers: product.offers)
    }
    store = builder.build()
    let symbols = store.observations.symbols
    store.catalogue.rebased = story.rebased.compactMap { line in
      guard let currency = Currency(line.currency), let from = CivilDay(text: line.from),
        let factor = RebasingFactor(text: line.factor)
      else { return nil }
      return RebasedCurrency(currency: currency, from: from, factor: factor)
    }
    for codes in story.promoCodes {
      guard let product = symbols.symbol(codes.product).map({ ProductID($0) }),
        let from = CivilDay(text: codes.from)
      else { continue }
      store.catalogue.products[product, default: Catalogue.Product(productID: product)]
        .promoCodes.append(
          Catalogue.PromoCodes(from: from, to: codes.to.flatMap(CivilDay.init(text:))))
    }
    store.catalogue.corrections = story.corrections.compactMap { correction in
      guard let number = AppleNumber(known: correction.transaction, in: symbols),
        let amount = try? Milliunits(decimal: correction.amount),
        let currency = Currency(correction.currency)
      else { return nil }
      return Catalogue.Correction(
        transactionID: TransactionID(number), amount: amount, currency: currency)
    }
  }
}

extension StoryProduct {
  /// The catalogue's lists: those of single storefronts, and that of all others.
  fileprivate var lists: [StoreList] {
    let storefronts = Set(changes.map(\.storefront)).union(prices.map(\.storefront))
    return storefronts.flatMap { storefront in
      [false, true].map { isFetched in
        StoreList(
          storefront,
          changes: changes.filter { $0.storefront == storefront && !isFetched }
            .map { ($0.currency, $0.from, $0.existing) },
          prices: prices.filter { $0.storefront == storefront && $0.isFetched == isFetched }
            .map { ($0.currency, $0.price, $0.from) },
          isFetched: isFetched)
      }
    }
  }
}

extension StoryReport {
  /// The complete content of a report as text: equal reports have equal texts.
  fileprivate var content: String {
    let offers = offers.map {
      "\($0.id ?? "") \(digits($0.price)) \($0.mode) \($0.count ?? 0) \($0.period ?? "")"
    }
    let moment = Instant(text: time)?.milliseconds ?? 0
    let names = [customer, transaction, product, bundle, storefront, currency].map { $0 ?? "" }
    let charge = sender.map { ["\($0)", "\(isTrusted)"] } ?? []
    return (names + ["\(moment)", digits(price)] + offers + charge).joined(separator: "\u{1F}")
  }

  private func digits(_ price: String) -> String {
    (try? Milliunits(decimal: price)).map { "\($0.rawValue)" } ?? price
  }
}
