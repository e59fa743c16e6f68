internal import PurchaseModel

extension InputFile.Kind {
  /// The name of the kind for messages, such as `signed transactions`.
  var words: String {
    switch self {
    case .receipts: "receipts"
    case .prices: "prices"
    case .signed: "signed transactions"
    case .exports: "exports of a service"
    case .appleReports: "Apple's reports"
    }
  }
}
