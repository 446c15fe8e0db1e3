//! Traditional Chinese as written in Taiwan.

use super::Key;

pub(super) fn number(number: usize) -> String {
    number.to_string()
}

#[expect(clippy::too_many_lines, reason = "table")]
pub(super) fn template(key: Key) -> &'static str {
    match key {
        Key::PodWaits => "{who} 還在等：{why}",
        Key::ClaimWaits => "{who} 仍是 pending：{why}",
        Key::RequestPart => "請求 {request}：{why}",
        Key::ResourcePart => "資源 {resource}：{why}",
        Key::Unused => "沒有人使用 {who}：有 Pod 用到 claim 時才會配置裝置",
        Key::Sentence => "{text}。",
        Key::Colon => "{text}：{more}",
        Key::Aside => "{text}（{more}）",
        Key::Semicolon => "{text}；{more}",
        Key::ListMiddle => "、",
        Key::ListLast => " 和 ",
        Key::ListMore => "{list}和另外 {count} 個",
        Key::Possessive => "{owner} 的 {thing}",
        Key::AmountOf => "{amount} {name}",
        Key::AcceptedEvery => "它能用的每個裝置都",
        Key::AcceptedFreeEvery => "它能用的每個空閒裝置都",
        Key::AcceptedFreeOnly => "{device}（它唯一能用的空閒裝置）",
        Key::AcceptedOnly => "{device}（它唯一能用的裝置）",
        Key::CountersTaken | Key::CountersTakenMany => {
            "{accepted}要從 {set} 扣 {asked}，而 {holders} 已經用掉全部 {total}"
        }
        Key::CountersPart | Key::CountersPartMany => {
            "{accepted}要從 {set} 扣 {asked}，但 {total} 只剩 {left}；其餘由 {holders} 佔用"
        }
        Key::CountersSmall => "{accepted}要從 {set} 扣 {asked}，但 {total} 只剩 {left}",
        Key::CountersVarious => {
            "它能用的每個裝置都超出剩餘的 counters，例如 {device} 要從 {set} 扣 {asked}，只剩 {left}"
        }
        Key::CapacityTaken | Key::CapacityTakenMany => {
            "{accepted}的 {name} {total} 已經用完：由 {holders} 佔用，而它要 {asked}"
        }
        Key::CapacityPart => "{accepted}只剩 {left} {name}（共 {total}），而它要 {asked}",
        Key::CapacitySmall => "{accepted}只有 {total} {name}，而它要 {asked}",
        Key::CapacityVarious => {
            "它能用的裝置都剩不到 {asked} {name}；例如 {device} 的 {total} 只剩 {left}"
        }
        Key::CapacityUnknown => "它要求容量 {name}，但它能用的裝置都沒有公布這個名稱的容量",
        Key::CapacityPolicy => "它要 {asked} {name}，但 {device} 的 request policy 不允許",
        Key::InUseOnly => "它唯一能用的裝置 {device} 由 {holders} 佔用",
        Key::InUseAll => "它能用的 {count} 個裝置全部由 {holders} 佔用",
        Key::InUseThisPod => "它能用的裝置已經被同一個 Pod 的其他請求拿走",
        Key::TaintedNear => {
            "{accepted}帶有 taint {taint}，而請求中同一個 key 的 toleration 是給 {differs}"
        }
        Key::TolerationDiffers => "{field} {has}，而不是 {wanted}",
        Key::TaintedAll => "{accepted}帶有 taint {taint}，而請求沒有容忍它",
        Key::ClassNoneVarious => {
            "class {class} 不接受這 {count} 個空閒裝置中的任何一個；例如對 {device}，{selector} 不成立"
        }
        Key::ClassNone => {
            "class {class} 不接受這 {count} 個空閒裝置中的任何一個：{selector} 不成立"
        }
        Key::ClassNoneOne => "class {class} 不接受唯一的空閒裝置 {device}：{selector} 不成立",
        Key::SelectorNoneVarious => {
            "它的 selectors 不接受 class {class} 的 {count} 個空閒裝置中的任何一個；例如對 {device}，{selector} 不成立"
        }
        Key::SelectorNone => {
            "它的 selector {selector} 對 class {class} 的 {count} 個空閒裝置都不成立"
        }
        Key::FoundValues => "{name} 是 {values}",
        Key::SelectorNoneOne => {
            "它的 selector {selector} 對 class {class} 唯一的空閒裝置 {device} 不成立"
        }
        Key::NoDevices => "沒有任何 ResourceSlice 公布裝置",
        Key::NoDevicesNamed => "從 {node} 連不到任何裝置：{slice} 是給 {whom} 的",
        Key::NoDevicesSelected => "從 {node} 連不到任何裝置：{slice} 是給符合 {whom} 的節點的",
        Key::NoDevicesAnywhere => "{count} 個節點都連不到任何裝置",
        Key::NoNodes => "沒有任何節點",
        Key::TooFew => {
            "它要 {wanted} 個裝置，能用的有 {accepted} 個，其中只有 {usable} 個拿得到：{parts}"
        }
        Key::TooFewMatchParts => "它要 {wanted} 個裝置，但只有 {accepted} 個符合：{parts}",
        Key::TooFewMatch => "它要 {wanted} 個裝置，但只有 {accepted} 個符合",
        Key::Mixed => "它能用的 {accepted} 個裝置都拿不到：{parts}",
        Key::MixedPartOf => "{label}（{count}：{device}，{detail}）",
        Key::MixedPartLike => "{label}（{count}，例如 {device}：{detail}）",
        Key::MixedPart => "{label}（{count}）",
        Key::AllBlocked => "它要全部 {count} 個符合的裝置，但其中的 {device} 拿不到：{reason}",
        Key::AllNone => "它要全部符合的裝置，但沒有任何裝置符合",
        Key::NotTogether => "它要的裝置單獨都拿得到，但無法同時拿到",
        Key::AllExclude => {
            "它要全部 {count} 個符合的裝置，但它們互斥：有了其他的就放不下 {device}：{reason}"
        }
        Key::ResourcesNamed => "它的容器（資源 {list}）",
        Key::RequestsNamed => "請求 {list} ",
        Key::ShareFew => "{requests}合計要 {wanted} 個裝置，但能給它們的只有 {count} 個：{devices}",
        Key::ShareCounters => "{requests}合計從 {set} 扣的超過剩下的 {left}",
        Key::ShareCapacity => "{requests}合計要的 {name} 超過 {device} 剩下的：{total} 只剩 {left}",
        Key::OwnCounters => "它的 {wanted} 個裝置合計從 {set} 扣的超過剩下的 {left}",
        Key::OwnCapacity => {
            "它的 {wanted} 個裝置合計要的 {name} 超過 {device} 剩下的：{total} 只剩 {left}"
        }
        Key::Exclude => "{requests}互斥：沒有其他的請求時，每一個都能滿足",
        Key::OwnMatchMissing => {
            "它的裝置必須有相同的 {attribute}，但 {device} 等它能用的 {number} 個裝置都沒有公布這個屬性"
        }
        Key::OwnDistinctMissing => {
            "它的裝置必須有不同的 {attribute}，但 {device} 等它能用的 {number} 個裝置都沒有公布這個屬性"
        }
        Key::MatchMissing => {
            "{requests}必須得到 {attribute} 相同的裝置，但請求 {request} 能用的裝置都沒有這個屬性，例如 {device}"
        }
        Key::DistinctMissing => {
            "{requests}必須得到 {attribute} 不同的裝置，但請求 {request} 能用的裝置都沒有這個屬性，例如 {device}"
        }
        Key::OwnMatchUnique => {
            "它的 {wanted} 個裝置必須有相同的 {attribute}，但它能用的 {count} 個裝置的值都不同"
        }
        Key::OwnMatchFew => {
            "它的 {wanted} 個裝置必須有相同的 {attribute}，但它能用的 {count} 個裝置中最多只有 {most} 個的值相同"
        }
        Key::OwnDistinctFew => {
            "它的 {wanted} 個裝置的 {attribute} 必須互不相同，但它能用的 {count} 個裝置只有 {values} 種值"
        }
        Key::DistinctFew => {
            "{requests}必須得到 {wanted} 個 {attribute} 互不相同的裝置，但能用的 {count} 個裝置只有 {values} 種值"
        }
        Key::MatchApart => {
            "{requests}必須得到 {attribute} 相同的裝置，但沒有一個值同時出現在它們能用的裝置上：{parts}"
        }
        Key::MatchPart => "{request} 能有 {values}",
        Key::ContextNever => "即使其他 Pod 都沒有佔用裝置，它還是會等。",
        Key::TooMany => "它要 {wanted} 個裝置，超過一個 claim 的上限 {limit}",
        Key::ConstraintMissing => "它的限制條件需要屬性 {attribute}，但 {device} 沒有",
        Key::ConstraintDiffers => "它能用的裝置在 {attribute} 上沒有相同的值",
        Key::ConstraintDuplicate => "它能用的裝置在 {attribute} 上的值不夠不同",
        Key::PoolDisagrees => {
            "pool {pool} 有 {have} 個 slice，卻宣告 {need} 個，所以不會使用它的裝置"
        }
        Key::PoolIncomplete => {
            "pool {pool} 不完整：{need} 個 slice 只有 {have} 個，所以不會使用它的裝置"
        }
        Key::PoolInvalid => "pool {pool} 無效：{reason}",
        Key::PoolObsolete => "pool {pool} 的裝置屬於過時的 generation",
        Key::FeatureOff => "{accepted}需要功能 {gate}，但它是關閉的",
        Key::OtherNode => "它能用的每個裝置都屬於 {node} 以外的節點",
        Key::CelRuntime => "{owner} 的 selector 在 {device} 上出錯：{error}",
        Key::CelCompile => "{owner} 的 selector 無法編譯：{error}",
        Key::Verbatim => "{text}",
        Key::ClassMissing => "class {name} 不存在",
        Key::ClaimMissing => "namespace {namespace} 裡沒有 claim {name}",
        Key::TemplateMissing => "namespace {namespace} 裡沒有範本 {name}",
        Key::RefusedThing => "{thing} 寫了但被拒絕：{text}",
        Key::ContextRefusedSlice => "{thing} 被拒絕，所以沒有它的裝置：{text}",
        Key::TemplateElsewhere => {
            "namespace {namespace} 裡沒有範本 {name}，它只在 namespace {other}"
        }
        Key::ClaimInNamespace => {
            "namespace {namespace} 裡沒有 claim {name}，它只在 namespace {other}"
        }
        Key::AllNeedsComplete => {
            "請求 {request} 要全部的裝置，所以必須等 pool {pool} 更新完，即使那是別種裝置"
        }
        Key::AllNeedsValid => {
            "請求 {request} 要全部的裝置，但 pool {pool} 無效，即使那是別種裝置也不行"
        }
        Key::AllConstraint => "請求 {request} 要全部的裝置，其中 {device} 不符合 claim 的限制條件",
        Key::TooManyFor => "加上請求 {request}，claim 要 {wanted} 個裝置，超過上限 {limit}",
        Key::OwnMissingOne => {
            "它的裝置必須比較 {attribute}，但它唯一能用的 {device} 沒有公布這個屬性"
        }
        Key::CapacityTooMuch => {
            "它要 {asked} {name}，但 {device} 的 request policy 最多只允許 {most}"
        }
        Key::ContextSimilarCapacity => {
            "{device} 公布的容量是 {similar}；請求必須寫完全相同的名稱。"
        }
        Key::ContextSimilar => "{device} 公布的是 {similar}：名稱完全相同才算同一個屬性。",
        Key::ContextShares => {
            "一個請求只能拿到同一個裝置一次，即使它可以共用：要兩份就要兩個請求。"
        }
        Key::ContextPodToleration => {
            "{who} 的 tolerations 是給節點的 taints；裝置的 taint 要在 claim 的請求裡容忍。"
        }
        Key::ContextWhole => "請求沒有寫 {name} 的量，裝置也沒有預設值，就會用掉全部。",
        Key::MatchFew => {
            "{requests}必須得到 {wanted} 個 {attribute} 相同的裝置，但能用的 {count} 個裝置中最多只有 {most} 個的值相同"
        }
        Key::SearchEnter => "呼叫 {call}：請求 {request} 的第 {number} 個裝置",
        Key::SearchEnd => "呼叫 {call}：每個請求都有裝置了",
        Key::SearchSkip => "不選 {device}：{why}",
        Key::SearchSkipMany => "不選 {device} 等裝置（另外 {more} 個）：{why}",
        Key::SearchTake => "請求 {request} 選了 {device}",
        Key::SearchTaken => "{request}：{device}",
        Key::SearchUndo => "請求 {request} 放棄 {device}",
        Key::SearchChoose => "選定 {request}",
        Key::SearchPrune => "這裡略過：可以證明會失敗",
        Key::SearchFound => "找到了",
        Key::SearchFail => "從這裡走不通",
        Key::SearchTooMany => "claim 會超過 32 個裝置",
        Key::SearchGap => "省略 {count} 筆",
        Key::ContextLeak => {
            "在檢查 counters 之後才被拒絕的裝置，仍然佔住保留的 counters：這是這個版本的已知錯誤。"
        }
        Key::MarkOverCommitted => "{name} 超額 {over}",
        Key::MarkVanished => "claim {claim} 持有的 {device} 已不再公布：它扣的量沒有記入",
        Key::MarkForeign => "同一個 pool 的 counter set {set} 超額，擋住了 pool 的所有裝置",
        Key::MarkSharedName => {
            "driver {driver} 有同名的 pool：這個版本會把兩者的 counters 記在同一個帳上"
        }
        Key::Crash => "這個版本的 scheduler 會在這裡當掉",
        Key::Budget => "搜尋在 {calls} 次呼叫後停止，沒有結果",
        Key::ClaimElsewhere => "{claim} 已經配置，只有 {nodes} 能使用",
        Key::ClaimElsewhereBare => "{claim} 已經配置，而 {who} 能用的節點都連不到它的裝置",
        Key::NodeName => "它指定的節點 {node} 無法使用",
        Key::NodeAffinity => "它的 node selector 或 node affinity 不符合",
        Key::NodeTaint => "它沒有容忍節點的 taint",
        Key::NodeUnschedulable => "節點標記為 unschedulable",
        Key::NodeResources => "節點的資源不足：{text}",
        Key::UnknownResource => "沒有 class 或節點提供 {name}",
        Key::ContextSimilarResource => "是不是指 {name}？",
        Key::ClaimFull => "{claim} 已經有 {count} 個使用者，這是一個 claim 的上限",
        Key::FitsWithLabel => "{node} 加上 label {label} 就放得下",
        Key::VainLabel => "label {label}",
        Key::OnNodes => "在 {nodes}：{why}",
        Key::OtherNodesOne => "另外一個節點在檢查裝置之前就被排除",
        Key::OtherNodes => "另外 {count} 個節點在檢查裝置之前就被排除",
        Key::ContextFree | Key::ContextFreeOne => {
            "並不是沒有 {thing} 了：{count}空閒，但 {owner} 的 selector 只接受 {part}。"
        }
        Key::ContextFreeOneBare => {
            "並不是沒有 {thing} 了：{count}空閒，但 {owner} 的 selector 不接受它。"
        }
        Key::ContextFreeBare => {
            "並不是沒有 {thing} 了：{count}空閒，但 {owner} 的 selector 不接受它們。"
        }
        Key::ContextClaim => "claim {claim} 已經存在，但沒有配置。",
        Key::ContextAborted => "這種錯誤會讓整次嘗試在所有節點上失敗，即使別處有合適的裝置。",
        Key::ContextTogether => "一個 Pod 的所有 claim 會一起配置，否則全部不配置。",
        Key::ContextPreemption => "Kubernetes 不會為了裝置而搶占其他 Pod，不論優先順序。",
        Key::ThingDevice => "裝置",
        Key::CardsOne => "一張卡",
        Key::CardsMany => "{count} 張卡",
        Key::DevicesOne => "一個裝置",
        Key::DevicesMany => "{count} 個裝置",
        Key::FitsIfDeleted | Key::FitsIfDeletedMany => "刪除 {pods} 就放得下",
        Key::FitsIfDropped => "拿掉 {part} 就放得下",
        Key::FitsIfLess => "改要 {amounts} 就放得下",
        Key::LessPart => "{left} {name}（而不是 {asked}）",
        Key::FitsIfFewer => "改要 {usable} 個而不是 {wanted} 個裝置就放得下",
        Key::FitsIfTolerated => "容忍 {taint} 就放得下",
        Key::FitsIfNoConstraint => "拿掉 {attribute} 的限制條件就放得下",
        Key::FitsIfRepaired => "套用這個修正就放得下：{title}",
        Key::FitsElsewhere => "拿掉 {who} 的 {field} 就放得進 {node}",
        Key::FitsInOrder => "把 {second} 排在 {first} 之前就放得下",
        Key::FitsIfBoth => "{first}，並且 {second}",
        Key::FitsIfFixed => "修正這個版本的已知錯誤就放得下",
        Key::FitsWithGate => "打開 feature gate {gate} 就放得下",
        Key::FitsWithoutGate => "關閉 feature gate {gate} 就放得下",
        Key::FitsInRelease => "在 Kubernetes {release} 就放得下",
        Key::NotEnforced => "{text}（但此時不再檢查{rules}）",
        Key::RuleTaints => "裝置的 taint",
        Key::RuleCounters => "裝置的 counters",
        Key::RuleCapacity => "可消耗容量",
        Key::RuleDistinct => "必須不同的屬性",
        Key::OutcomeGets => "{who} 得到 {devices}",
        Key::OutcomeGetsOn => "{who} 在 {node} 得到 {devices}",
        Key::OutcomeRuns => "{who} 會執行",
        Key::VainDeleted => "刪除 {pods}",
        Key::VainDropped => "拿掉 {part}",
        Key::VainLess => "{amounts}",
        Key::VainFewer => "{usable} 個裝置",
        Key::VainTolerated => "容忍 {taint}",
        Key::VainNoConstraint => "拿掉 {attribute} 的限制條件",
        Key::VainOrder => "換一個順序",
        Key::VainGates => "切換每個 feature gate",
        Key::VainReleases => "Kubernetes {releases}",
        Key::StageDevices => "{node} 上的裝置",
        Key::StageFree => "空閒",
        Key::StageClass => "Class {class}",
        Key::StageRequest => "請求的 selector",
        Key::StageNode => "裝置所屬的節點",
        Key::StageCapacity => "容量",
        Key::StageCounters => "共用的 counters",
        Key::StageTaints => "Taints",
        Key::StageConstraints => "限制條件",
        Key::StageChosen | Key::LabelChosen => "選中",
        Key::LabelNotNeeded => "不需要",
        Key::LabelNotReached => "沒有檢查到",
        Key::LabelUndone => "選過又放棄",
        Key::LabelSliceOtherNode => "其他節點",
        Key::LabelSliceIgnored => "slice 被忽略",
        Key::LabelPoolObsolete => "pool 過時",
        Key::LabelPoolIncomplete => "pool 不完整",
        Key::LabelPoolInvalid => "pool 無效",
        Key::LabelInUse => "使用中",
        Key::LabelInUseThisPod => "已被這個 Pod 拿走",
        Key::LabelBindingUnsupported => "binding conditions 關閉",
        Key::LabelClassFalse => "class selector 不成立",
        Key::LabelRequestFalse => "selector 不成立",
        Key::LabelCelError => "CEL 錯誤",
        Key::LabelDeviceOtherNode => "裝置屬於其他節點",
        Key::LabelCapacityUnknown => "沒有這個容量",
        Key::LabelCapacityPolicy => "不符合 policy",
        Key::LabelCapacityShort => "容量不足",
        Key::LabelNodeOperations => "node operations 關閉",
        Key::LabelPartitionableOff => "partition 關閉",
        Key::LabelCountersShort => "counters 不足",
        Key::LabelTainted => "有 taint",
        Key::LabelConstraint => "限制條件不符",
        Key::ConditionOf => "{device} 的 {condition}",
        Key::WaitsForNamed => {
            "它在 {node} 的裝置已經配置，但還沒準備好：要先等 {conditions} 變成 true"
        }
        Key::WaitsForConditions => {
            "它在 {node} 上的裝置已經配置，但 binding conditions 還沒有全部成立"
        }
        Key::LabelBinding => "等待 binding",
        Key::LabelMissing => "缺少物件",
        Key::LabelHeldBack => "暫緩",
        Key::LabelRefused => "被拒絕",
        Key::LabelError => "錯誤",
        Key::LabelNoNode => "沒有節點",
        Key::LabelClaimElsewhere => "claim 在別處",
        Key::LabelNoDevices => "沒有裝置",
        Key::LabelTooFew => "裝置不夠",
        Key::LabelNotTogether => "無法同時滿足",
        Key::LabelOver32 => "超過 32 個",
        Key::DetailChosen => "檢查的第 {position} 個，共 {count} 個",
        Key::DetailNotNeeded => "沒有檢查：之前就滿足了",
        Key::DetailNotReached => "沒有檢查：搜尋在這個請求之前就結束了",
        Key::DetailNotReachedError => "沒有檢查：另一個裝置上的錯誤結束了搜尋",
        Key::DetailNotReachedEarlier => "沒有檢查：較早的請求無法滿足",
        Key::DetailUndone => "符合，但之後的請求無法滿足",
        Key::DetailSliceOtherNode => "為其他節點公布",
        Key::DetailSliceIgnored => "slice 沒有指定節點",
        Key::DetailPoolObsolete => "pool 已有較新的 generation",
        Key::DetailPoolDisagrees => "有 {have} 個 slice，但宣告的是 {need} 個",
        Key::DetailPoolIncomplete => "{need} 個 slice 只有 {have} 個",
        Key::DetailPoolInvalid => "{reason}",
        Key::DetailInUse => "由 {holders} 佔用",
        Key::DetailInUseThisPod => "由同一個 Pod 的請求 {request} 佔用",
        Key::DetailInUseThisPodBare => "由同一個 Pod 的其他請求佔用",
        Key::DetailBindingUnsupported => "它有 binding conditions，但功能是關閉的",
        Key::DetailSelectorFalse => "{part} 為 false",
        Key::DetailCelError => "{error}",
        Key::DetailDeviceOtherNode => "裝置自己指定了其他節點",
        Key::DetailCapacityUnknown => "沒有容量 {name}",
        Key::DetailCapacityPolicy => "{name}：policy 不允許 {asked}",
        Key::DetailCapacityShort => "{name}：要 {asked}，{total} 剩 {left}",
        Key::DetailPartitionableOff => "它使用 counters，但功能是關閉的",
        Key::DetailCountersShort => "{set} 的 {counter}：要 {asked}，剩 {left}",
        Key::DetailCountersForeign => "{set} 的 {counter} 超額 {over}，擋住了 pool 的所有裝置",
        Key::DetailCountersLeaked => "{text}，其中一部分被已拒絕的裝置佔住（已知錯誤）",
        Key::DetailTaintedNear => "沒有容忍 {taint}：同一個 key 的 toleration 是給 {differs}",
        Key::DetailTainted => "沒有容忍 {taint}",
        Key::DetailConstraintMissing => "沒有屬性 {attribute}",
        Key::DetailConstraintDiffers => "{attribute} 是 {value}，但 {reference} 是 {wanted}",
        Key::DetailConstraintDiffersBare => "{attribute} 不同",
        Key::DetailConstraintDuplicate => "{attribute} 是 {value}，和 {reference} 相同",
        Key::DetailConstraintDuplicateBare => "{attribute} 和之前的相同",
        Key::DetailOver32 => "一個 claim 最多 {limit} 個裝置",
        Key::RuleDefault => "沒有指定；預設 {amount}",
        Key::RuleWhole => "沒有指定也沒有預設：全部",
        Key::RuleAsAsked => "如所要求",
        Key::RuleMin => "要求 {asked}，提高到下限 {min}",
        Key::RuleStep => "要求 {asked}，依級距 {step} 提高到 {amount}",
        Key::RuleChargedOnce => "整個裝置只扣一次，由第一份扣除",
        Key::RuleValues => "要求 {asked}，提高到允許的值 {amount}",
    }
}
