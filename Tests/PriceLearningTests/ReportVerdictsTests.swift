import Amounts
import PurchaseModel
import Testing

@testable import PriceLearning

/// The compact form of all verdicts is equal to the single verdicts.
struct ReportVerdictsTests {
  @Test func `each report keeps its own judgement, with the reason for it`() {
    let (america, germany) = (Storefront("USA"), Storefront("DEU"))
    var reportVerdicts = ReportVerdicts(places: [america, germany, nil, america])
    #expect(reportVerdicts.map(\.place) == [america, germany, nil, america])
    #expect(reportVerdicts.verdicts == Array(repeating: .noReference, count: 4))

    for report in 0..<4 {
      reportVerdicts.setVerdict(ReportPosition(report), .believed, reference: Milliunits(9_990))
    }
    reportVerdicts.setVerdict(ReportPosition(2), .unitError, reference: nil)
    let others = ReportVerdict.Outvoting(priceInForce: Milliunits(9_990), inForce: 12, same: 1)
    reportVerdicts.outvote(ReportPosition(1), by: others)
    reportVerdicts.distrust(ReportPosition(3), for: -7)
    reportVerdicts.confirm(ReportPosition(0))

    #expect(reportVerdicts.verdicts == [.believed, .outvoted, .unitError, .distrusted])
    #expect(reportVerdicts.map(\.isConfirmed) == [true, false, false, false])
    #expect(reportVerdicts.map(\.outvoting) == [nil, others, nil, nil])
    #expect(reportVerdicts.map(\.distrustedFor) == [nil, nil, nil, -7])
    #expect(reportVerdicts[1].reference == Milliunits(9_990))
    #expect(reportVerdicts[2].reference == nil)
  }
}
