internal import CivilTime

extension TrueReportEvidence {
  /// Returns the reason why true reports do not show the price in a storefront at a moment.
  ///
  /// The result is `nil` if they show the price; ``TrueReportEvidence`` has the conditions.
  func objection(_ subject: PriceSubject, _ storefront: Int, at moment: Int64) -> Finding? {
    guard moment >= world.start, let span = span(subject, storefront, at: moment),
      let terms = span.level.terms
    else { return .unwitnessed }
    let (reporters, least) = reporters(subject, storefront, terms, at: moment)
    let spans = reporters.compactMap { reporter in
      self.span(subject, reporter, at: moment).map { (storefront: reporter, span: $0) }
    }
    let supporting = spans.map { self.supporting(subject, $0.storefront, within: $0.span) }
    let isWhole = span.isFirst && span.next == nil
    let needed = isWhole ? 1 : span.isClosedBefore || span.isClosedAfter ? 2 : 3
    guard Self.people(in: supporting, upTo: max(needed, least)) >= max(needed, least) else {
      return .unwitnessed
    }
    let own = self.supporting(subject, storefront, within: span)
    let beginsWithOthers = spans.allSatisfy { $0.span.level.from == span.level.from }
    let endsWithOthers = spans.allSatisfy { $0.span.next?.from == span.next?.from }
    guard
      span.isClosedBefore
        || (beginsWithOthers ? supporting : [own])
          .contains(where: { ($0.first?.time ?? .max) <= moment })
        || isCurrencyShown(storefront, terms.currency, from: span.level.from, through: moment),
      span.isClosedAfter
        || (endsWithOthers ? supporting : [own])
          .contains(where: { ($0.last?.time ?? .min) >= moment })
        || span.next?.terms?.currency != terms.currency
          && isCurrencyShown(storefront, terms.currency, from: moment, through: .max)
    else { return .between }
    let other = mostReportedFalsePrice(subject, reporters, terms, around: moment)
    guard other > 0 else { return nil }
    let near = Self.nearDays * BillingClock.day
    let honest = supporting.map { $0.within(moment - near..<moment + near + 1, \.time) }
    return Self.people(in: honest, upTo: other + 1) <= other ? .outnumbered : nil
  }

  /// The number of people who sent some reports; at most `limit`, so that few reports are read.
  private static func people(in reports: [ArraySlice<TrueReport>], upTo limit: Int) -> Int {
    var people: Set<Int> = []
    for report in reports.joined() {
      people.insert(report.person)
      if people.count == limit { break }
    }
    return people.count
  }

  /// A price level, with the level that follows it.
  struct Span {
    var level: PriceLevel
    var isFirst: Bool
    var next: PriceLevel?

    var isClosedBefore: Bool { isFirst || level.isDated }
    var isClosedAfter: Bool { next?.isDated ?? true }
  }

  private func span(_ subject: PriceSubject, _ storefront: Int, at moment: Int64) -> Span? {
    guard let all = levels[subject]?[storefront], !all.isEmpty else { return nil }
    let position = position(all, at: moment)
    return Span(
      level: all[position], isFirst: position == 0,
      next: position + 1 < all.count ? all[position + 1] : nil)
  }

  private func supporting(_ subject: PriceSubject, _ storefront: Int, within span: Span)
    -> ArraySlice<TrueReport>
  {
    let reports = trueReports[subject]?[storefront] ?? []
    return reports[...].within(span.level.from..<(span.next?.from ?? .max), \.time)
  }

  /// Whether the storefront's customers reported the currency between two moments, for any product.
  ///
  /// The value is also false if the storefront already had the currency before `from`, unless
  /// `through` is `.max`.
  private func isCurrencyShown(
    _ storefront: Int, _ currency: WorldCurrency, from: Int64, through: Int64
  ) -> Bool {
    let isNew = world.prices.step(0, storefront, at: from - 1).currency != currency
    guard isNew || through == .max else { return false }
    return currencies[storefront].contains {
      $0.currency == currency && $0.time >= from && $0.time <= through
    }
  }

  /// Finds the storefronts whose reports may show a price, and the necessary number of customers.
  ///
  /// - For an introductory price, only the given storefront is used, and one customer is enough.
  /// - If no other price in the currency is reported at about that time, all storefronts with the
  ///   price are used, and one customer is enough. The same applies if more customers report this
  ///   price than any other price, and some of them are in the given storefront.
  /// - Otherwise only the given storefront is used, and three customers are needed.
  private func reporters(
    _ subject: PriceSubject, _ storefront: Int, _ terms: PriceTerms, at moment: Int64
  ) -> (storefronts: [Int], least: Int) {
    // Introductory offers are set for each storefront separately.
    if case .introductory = subject { return ([storefront], 1) }
    let alike = world.storefronts.indices.filter {
      level(subject, $0, at: moment)?.terms == terms
    }
    guard !isAlike(subject, terms, at: moment) else { return (alike, 1) }
    let reach = Self.compareDays * BillingClock.day
    var peopleOf: [PriceTerms: Set<Int>] = [:]
    for other in world.storefronts.indices {
      let theirs = level(subject, other, at: moment)?.terms
      guard let theirs, theirs.currency == terms.currency else { continue }
      let near = (trueReports[subject]?[other] ?? [])[...]
        .within(moment - reach..<moment + reach + 1, \.time)
      if !near.isEmpty { peopleOf[theirs, default: []].formUnion(near.map(\.person)) }
    }
    guard peopleOf.keys.contains(where: { $0 != terms }) else { return (alike, 1) }
    let own = peopleOf[terms]?.count ?? 0
    let isCommon = peopleOf.allSatisfy { $0.key == terms || $0.value.count < own }
    let hasOwn = (trueReports[subject]?[storefront] ?? []).contains {
      level(subject, storefront, at: $0.time)?.terms == terms
    }
    return isCommon && hasOwn ? (alike, 1) : ([storefront], 3)
  }

  /// The number of customers who report the most frequent false price near a moment.
  private func mostReportedFalsePrice(
    _ subject: PriceSubject, _ reporters: [Int], _ terms: PriceTerms, around moment: Int64
  ) -> Int {
    let near = Self.nearDays * BillingClock.day
    var peopleOf: [PriceTerms: Set<Int>] = [:]
    let claims = (falseReports[subject] ?? [])[...]
    for claim in claims.within(moment - near..<moment + near + 1, \.time) {
      let isHere =
        claim.storefront.map { reporters.contains($0) } ?? (claim.terms.currency == terms.currency)
      if isHere, claim.terms != terms { peopleOf[claim.terms, default: []].insert(claim.person) }
    }
    return peopleOf.values.map(\.count).max() ?? 0
  }
}

extension ArraySlice {
  /// The elements whose times are within a range; the elements are sorted by time.
  fileprivate func within(_ range: Range<Int64>, _ time: KeyPath<Element, Int64>)
    -> ArraySlice<Element>
  {
    /// The position of the first element that is not before a time.
    func position(_ limit: Int64) -> Int {
      var (low, high) = (startIndex, endIndex)
      while low < high {
        let middle = (low + high) / 2
        if self[middle][keyPath: time] < limit { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return self[position(range.lowerBound)..<position(range.upperBound)]
  }
}
