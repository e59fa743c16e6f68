import Amounts
import CivilTime
import PriceLearning
import PurchaseModel
import Testing
import TestSupport

/// Compares learning with a naive version that compares every report with every other.
struct LearningOracleTests {
  private func generate(seed: UInt64) -> (LearnedPrices, PlainReading) {
    let reports = RandomReports(seed: seed)
    let learned = LearnedPrices(reports.store, place: reports.place)
    var own: [Storefront: Currency] = [:]
    for (place, code) in RandomReports.currencies { own[storefront(place)] = currency(code) }
    let reading = PlainReading(
      learned.placed, catalogue: learned.built.catalogue,
      ownCurrencies: own)
    return (learned, reading)
  }

  @Test(arguments: LongTests.seeds(30, long: 90))
  func `verdicts, doubts, price lists and intervals equal those of the plain reading`(seed: UInt64)
  {
    let (learned, reading) = generate(seed: seed)
    let (expected, apart, history) = reading.reportVerdicts()
    for (index, reportVerdict) in learned.book.reportVerdicts.enumerated() {
      let plain = expected[index]
      let what = Comment("seed \(seed), report \(index)")
      #expect(reportVerdict.verdict == plain.verdict, what)
      #expect(reportVerdict.reference?.rawValue == plain.reference, what)
      #expect(reportVerdict.place == reading.reports[index].place, what)
      #expect(reportVerdict.outvoting == plain.outvoting, what)
      #expect(reportVerdict.distrustedFor == plain.distrustedFor.map { Int64($0 + 1) }, what)
      #expect(reportVerdict.isConfirmed == plain.isConfirmed, what)
      #expect(reportVerdict.isOutnumbered == plain.isOutnumbered, what)
    }
    for code in Set(RandomReports.currencies.values) {
      #expect(learned.book.apart[currency(code)] == apart[currency(code)] ?? [], "seed \(seed)")
    }
    #expect(regularIntervals(learned) == plainIntervals(reading, expected, apart, history))
  }

  @Test func `the random stores show every verdict, confirmed reports and storefronts apart`() {
    var verdicts: Set<Verdict> = []
    var confirmed = 0
    var apart = 0
    for seed in 1...90 as ClosedRange<UInt64> {
      let reports = RandomReports(seed: seed)
      let book = LearnedPrices(reports.store, place: reports.place).book
      verdicts.formUnion(book.reportVerdicts.map(\.verdict))
      confirmed += book.reportVerdicts.count(where: \.isConfirmed)
      apart += seed % 12 == 0 ? 0 : book.apart[currency("EUR")].count
    }
    // Placing has excluded these reports, so learning does not use them.
    #expect(
      verdicts
        == Set(Verdict.allCases).subtracting([
          .charged, .otherProduct, .impossibleDate, .impossibleAmount, .contestedCharge,
          .otherStore,
        ]))
    #expect(confirmed > 300)
    #expect(apart > 3)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `neither the order of the reports nor the voters' numbers change anything`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (learned, _) = generate(seed: seed)
    let numbers = (0..<Int32(learned.placed.count + 2000)).shuffled(using: &random)
    // Evidence ids stay the same, so that reports of one moment keep their order.
    let renamed = learned.placed.map { report in
      var renamed = report
      renamed.voter = Voter(Int64(numbers[Int(report.voter.rawValue)]))
      return renamed
    }
    for workers in [1, 3] {
      let other = learnPrices(
        from: renamed, offers: learned.offers, catalogue: learned.built.catalogue, workers: workers)
      #expect(other.reportVerdicts == learned.book.reportVerdicts, "seed \(seed)")
      #expect(other.history.intervals == learned.book.history.intervals, "seed \(seed)")
    }
    let shuffled = Array(renamed.indices).shuffled(using: &random)
    let mixed = learnPrices(
      from: shuffled.map { renamed[$0] }, offers: learned.offers,
      catalogue: learned.built.catalogue)
    for (place, index) in shuffled.enumerated() {
      let (one, other) = (mixed.reportVerdicts[place], learned.book.reportVerdicts[index])
      #expect(one.verdict == other.verdict, "seed \(seed), report \(index)")
      #expect(one.reference == other.reference, "seed \(seed), report \(index)")
      #expect(one.place == other.place, "seed \(seed), report \(index)")
      #expect(one.isConfirmed == other.isConfirmed, "seed \(seed), report \(index)")
    }
    #expect(
      mixed.history.intervals.map(\.price) == learned.book.history.intervals.map(\.price),
      "seed \(seed)")
  }
}

/// The intervals of the regular prices, one line each.
private func regularIntervals(_ learned: LearnedPrices) -> [String] {
  learned.book.history.intervals.filter { $0.series.kind == .regular }.map { interval in
    line(
      "\(interval.productID.symbol.rawValue)", interval.currency,
      interval.series.storefront, interval.from?.milliseconds, interval.to?.milliseconds,
      interval.price.rawValue, Int(interval.voters), Int(interval.reports),
      Int(interval.rejectedReports), interval.lastReportedAt.milliseconds,
      isCut: interval.endsAtCatalogueDate)
  }.sorted()
}

private func plainIntervals(
  _ reading: PlainReading, _ judged: [PlainVerdict], _ apart: [Currency: [Storefront]],
  _ history: (PlainReport, PlainReading.List) -> [PlainInterval]
) -> [String] {
  var lines: Set<String> = []
  for report in reading.reports {
    for list in PlainReading.lists(nil, apart[report.currency] ?? []) {
      for interval in history(report, list) {
        let believed = interval.reports.filter { judged[$0.index].isBelieved }
        let own = believed.filter { $0.price == interval.price }
        lines.insert(
          line(
            "\(report.product.symbol.rawValue)", report.currency, list, interval.from, interval.to,
            interval.price, PlainReading.voters(own), own.count,
            interval.reports.count - believed.count, own.map(\.time).max() ?? 0,
            isCut: interval.endsAtCut))
      }
    }
  }
  return lines.sorted()
}

private func line(
  _ product: String, _ currency: Currency, _ list: Storefront?, _ from: Int64?, _ to: Int64?,
  _ price: Int64, _ voters: Int, _ reports: Int, _ rejected: Int, _ last: Int64, isCut: Bool
) -> String {
  func time(_ moment: Int64?) -> String {
    moment.map { Instant(milliseconds: $0).text } ?? "-"
  }
  return [
    product, currency.code, list?.code ?? "-", time(from), time(to), "\(price)",
    "voters \(voters)", "reports \(reports)", "rejected \(rejected)", "last \(time(last))",
    isCut ? "cut" : "",
  ].joined(separator: " ")
}
