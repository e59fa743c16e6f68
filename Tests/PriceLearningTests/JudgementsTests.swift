import Amounts
import PurchaseModel
import Testing

@testable import PriceLearning

/// The short form in which all judgements are kept says what each one says by itself.
struct JudgementsTests {
  @Test func `each report keeps its own judgement, with the reason for it`() {
    let (america, germany) = (Storefront("USA"), Storefront("DEU"))
    var judgements = Judgements(places: [america, germany, nil, america])
    #expect(judgements.map(\.place) == [america, germany, nil, america])
    #expect(judgements.verdicts == Array(repeating: .noReference, count: 4))

    for report in 0..<4 {
      judgements.judge(ReportPosition(report), .believed, reference: Milliunits(9_990))
    }
    judgements.judge(ReportPosition(2), .unitError, reference: nil)
    let others = Judgement.Outvoting(priceInForce: Milliunits(9_990), inForce: 12, same: 1)
    judgements.outvote(ReportPosition(1), by: others)
    judgements.distrust(ReportPosition(3), for: -7)
    judgements.confirm(ReportPosition(0))

    #expect(judgements.verdicts == [.believed, .outvoted, .unitError, .distrusted])
    #expect(judgements.map(\.isConfirmed) == [true, false, false, false])
    #expect(judgements.map(\.outvoting) == [nil, others, nil, nil])
    #expect(judgements.map(\.distrustedFor) == [nil, nil, nil, -7])
    #expect(judgements[1].reference == Milliunits(9_990))
    #expect(judgements[2].reference == nil)
  }
}
